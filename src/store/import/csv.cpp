// SPDX-License-Identifier: BSD-3-Clause
// Times in tables: alltold's own export, PICO's summaries, and others whose columns the user names.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"
#include "store/campaign.hpp"
#include "store/export/export.hpp"
#include "store/import/csv_table.hpp"

namespace alltold {
namespace {

/// Keys of --columns.
constexpr std::array<std::string_view, 15> csv_keys{
    "collective", "bytes",          "total_bytes", "total_count", "time_s",
    "time_ms",    "time_us",        "time_ns",     "ranks",       "hosts",
    "clusters",   "ranks_per_host", "algorithm",   "library",     "calls"};

struct TimeUnit {
    std::string_view key;
    double s;
};
constexpr std::array<TimeUnit, 4> time_units{
    {{"time_s", 1}, {"time_ms", 1e-3}, {"time_us", 1e-6}, {"time_ns", 1e-9}}};

/// A table whose columns are known by their titles.
struct KnownTable {
    std::string_view titles; ///< all of these are there
    std::string_view columns;
    std::string_view source; ///< of names of algorithms
};
constexpr std::array<KnownTable, 2> known_tables{{
    {"collective_type,array_dim,buffer_size,algo_name,median,nnodes,tasks_per_node,n_iter,mpi_lib,"
     "mpi_lib_version",
     "collective=collective_type,total_bytes=buffer_size,total_count=array_dim,time_ns=median,"
     "hosts=nnodes,ranks_per_host=tasks_per_node,algorithm=algo_name,calls=n_iter,library=mpi_lib+"
     "mpi_lib_version",
     "pico"},
    {"collective,algorithm,nodes,ranks_per_node,size_bytes,repetitions,median_us,library",
     "collective=collective,bytes=size_bytes,time_us=median_us,hosts=nodes,ranks_per_host=ranks_"
     "per_node,algorithm=algorithm,calls=repetitions,library=library",
     "pico"},
}};

const KnownTable* known_table(const CsvTable& table) {
    const auto found = std::ranges::find_if(known_tables, [&](const KnownTable& known) {
        return std::ranges::all_of(split_at(known.titles, ','), [&](std::string_view title) {
            return table.column(title).has_value();
        });
    });
    return found == known_tables.end() ? nullptr : &*found;
}

/// A product, as PICO writes the nodes of a torus: "2x2x2".
std::optional<int> product_of(std::string_view text) {
    std::uint64_t product = 1;
    for (const auto factor : split_at(text, 'x')) {
        const auto number = count_of(factor);
        if (!number || *number < 1 || *number > most_ranks || product * *number > most_ranks)
            return std::nullopt;
        product *= *number;
    }
    return static_cast<int>(product);
}

/// "Open MPI v4.1.6" of "OMPI 4.1.6", as MPI_Get_library_version begins.
std::string library_text(std::string_view text) {
    constexpr std::string_view short_name = "OMPI ";
    auto shown = plain_text(text.starts_with(short_name)
                                ? fmt::format("Open MPI v{}", text.substr(short_name.size()))
                                : std::string(text));
    return shown.substr(0, most_text_bytes);
}

/// Whether the bytes of the whole vector are split among the ranks: m is what each has of it.
bool is_split(Collective collective) {
    using enum Collective;
    return collective == scatter || collective == gather || collective == alltoall ||
           collective == allgather || collective == reduce_scatter_block;
}

/// Rows by the columns that hold what a time needs.
class CsvReader {
  public:
    CsvReader(const ImportSource& source, const CsvTable& table, const CsvColumns& columns,
              std::string_view names)
        : source_(source), table_(table), columns_(columns), names_(names) {}

    /// Fails where a column that is named is not there, or one is missing.
    Status check() const {
        const auto lacks = [&](std::string_view what) {
            return bad_input(fmt::format("{}: --columns: {}; the columns are {}", source_.file,
                                         what, table_.titles_text()));
        };
        for (const auto& [key, where] : columns_.of)
            if (!where.fixed)
                for (const auto title : split_at(where.text, '+'))
                    if (!table_.column(title))
                        return lacks(fmt::format("no column '{}'", title));
        if (!has("collective"))
            return lacks("expected collective=COLUMN or collective:NAME");
        if (has("bytes") == has("total_bytes"))
            return lacks("expected one of bytes= and total_bytes=");
        if (std::ranges::count_if(time_units,
                                  [&](const TimeUnit& unit) { return has(unit.key); }) != 1)
            return lacks("expected one of time_s=, time_ms=, time_us= and time_ns=");
        return Done{};
    }

    Result<ImportedTimes> read() {
        for (const auto& row : table_.rows)
            ALLTOLD_TRY_DONE(take(row));
        return std::move(read_);
    }

  private:
    bool has(std::string_view key) const { return columns_.of.contains(key); }
    std::string value(const CsvRow& row, std::string_view key) const {
        const auto where = columns_.of.find(key);
        if (where == columns_.of.end())
            return {};
        if (where->second.fixed)
            return where->second.text;
        std::vector<std::string> values;
        for (const auto title : split_at(where->second.text, '+'))
            values.push_back(row.fields[*table_.column(title)]);
        return fmt::format("{}", fmt::join(values, " "));
    }

    Status take(const CsvRow& row) {
        const auto collective = benchmarked_collective(value(row, "collective"));
        if (!collective) {
            read_.skip(fmt::format("{}: alltold has no probe for '{}'", source_.file,
                                   value(row, "collective")));
            return Done{};
        }
        const auto bad = [&](std::string_view key, std::string_view wanted) {
            return bad_line(source_, *row.line,
                            fmt::format("{} '{}': expected {}", key, value(row, key), wanted));
        };
        ALLTOLD_TRY(ranks, ranks_of(row));
        ALLTOLD_TRY(size_bytes, bytes_of(row, *collective, ranks->ranks()));
        const auto unit =
            std::ranges::find_if(time_units, [&](const TimeUnit& one) { return has(one.key); });
        const auto time_s = seconds_of(value(row, unit->key), unit->s);
        if (!time_s)
            return bad(unit->key, "a time above 0");
        Sample sample{.value = *time_s, .summary = Summary{}};
        if (has("calls")) {
            const auto calls = count_of(value(row, "calls"));
            if (!calls)
                return bad("calls", "a number of calls");
            sample.summary->calls = *calls;
        }
        ALLTOLD_TRY_DONE(take_library(row));
        return add_collective(read_, source_, *row.line, *collective, *ranks, *size_bytes, sample,
                              forced_algorithm(names_, value(row, "algorithm"), *collective));
    }

    Status take_library(const CsvRow& row) {
        const auto library = library_text(value(row, "library"));
        if (!read_.library.empty() && library != read_.library)
            return bad_line(source_, *row.line,
                            fmt::format("library '{}' after '{}': a campaign is of one; name it by "
                                        "--library, or choose rows by --only",
                                        library, read_.library));
        read_.library = library;
        return Done{};
    }

    /// Hosts with so many ranks each, or so many of the source's ranks.
    Result<Clusters> ranks_of(const CsvRow& row) const {
        if (has("clusters"))
            return on_line(row, Clusters::parse(value(row, "clusters")));
        std::optional<int> numbers[3];
        constexpr std::array<std::string_view, 3> keys{"ranks", "hosts", "ranks_per_host"};
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (has(keys[i])) {
                numbers[i] = product_of(value(row, keys[i]));
                if (!numbers[i])
                    return bad_line(source_, *row.line,
                                    fmt::format("{} '{}': expected a number from 1 to {}", keys[i],
                                                value(row, keys[i]), most_ranks));
            }
        const auto& [ranks, hosts, each] = numbers;
        if (hosts) {
            if (each.value_or(1) == 1)
                return Clusters({*hosts});
            if (static_cast<long>(*hosts) * *each > most_ranks)
                return bad_line(source_, *row.line, fmt::format("more than {} ranks", most_ranks));
            return Clusters::of_hosts({std::vector(static_cast<std::size_t>(*hosts), *each)});
        }
        if (ranks && each) {
            std::vector<int> on_hosts(static_cast<std::size_t>(*ranks / *each), *each);
            if (*ranks % *each > 0)
                on_hosts.push_back(*ranks % *each);
            return Clusters::of_hosts({on_hosts});
        }
        return ranks ? on_line(row, ranks_of_call(source_, *ranks)) : ranks_of_call(source_);
    }

    Result<Clusters> on_line(const CsvRow& row, Result<Clusters> clusters) const {
        return clusters ? std::move(clusters)
                        : bad_line(source_, *row.line, clusters.error().message);
    }

    /// m: of a vector that is split, what each rank has of it.
    Result<std::uint64_t> bytes_of(const CsvRow& row, Collective collective, int ranks) const {
        const auto key = has("bytes") ? "bytes" : "total_bytes";
        const auto bytes = count_of(value(row, key));
        if (!bytes)
            return bad_line(source_, *row.line,
                            fmt::format("{} '{}': expected a size in bytes", key, value(row, key)));
        if (has("bytes") || !is_split(collective))
            return *bytes;
        const auto elements =
            has("total_count") ? count_of(value(row, "total_count")) : std::optional(*bytes);
        if (!elements || *elements == 0 || *bytes % *elements != 0)
            return bad_line(source_, *row.line,
                            fmt::format("total_count '{}': expected the number of elements",
                                        value(row, "total_count")));
        return *elements / static_cast<std::uint64_t>(ranks) * (*bytes / *elements);
    }

    const ImportSource& source_;
    const CsvTable& table_;
    const CsvColumns& columns_;
    std::string_view names_;
    ImportedTimes read_;
};

/// Whether these are samples_csv's titles; an older alltold has none after "retransmitted".
bool is_exported(std::string_view titles) {
    return titles == csv_header ||
           (csv_header.starts_with(titles) && titles.ends_with(",retransmitted"));
}

/// Leaves the rows that the user wants.
Status keep_only(CsvTable& table, const ImportSource& source) {
    const auto& [title, value] = source.columns.only;
    if (title.empty())
        return Done{};
    const auto column = table.column(title);
    if (!column)
        return bad_input(fmt::format("{}: --only: no column '{}'; the columns are {}", source.file,
                                     title, table.titles_text()));
    std::erase_if(table.rows, [&, &wanted = value](const CsvRow& row) {
        return row.fields[*column] != wanted;
    });
    return Done{};
}

/// Every sample of a campaign as samples_csv writes it.
Result<ImportedTimes> read_exported(const ImportSource& source, const CsvTable& table) {
    constexpr std::size_t of_calls = 12; // an older alltold has no such columns
    ImportedTimes read;
    read.start_mode = StartMode::silence; // as `alltold measure` does unless told otherwise
    for (const auto& [line, fields] : table.rows) {
        const auto bad = [&, at = line](std::size_t column, std::string_view wanted) {
            return bad_line(
                source, *at,
                fmt::format("{} '{}': expected {}", table.titles[column], fields[column], wanted));
        };
        const auto rank = [&](std::size_t column) -> std::optional<int> {
            const auto number =
                fields[column] == "-1" ? std::optional<std::uint64_t>(0) : count_of(fields[column]);
            if (!number || *number > most_ranks)
                return std::nullopt;
            return fields[column] == "-1" ? -1 : static_cast<int>(*number);
        };
        for (const std::size_t column : {0, 1})
            if (fields[column].empty() || fields[column].size() > most_name_bytes ||
                plain_text(fields[column]) != fields[column])
                return bad(column, "a name");
        const auto clusters = Clusters::parse(fields[2]);
        if (!clusters)
            return bad(2, "clusters such as 6+6");
        const auto size_bytes = count_of(fields[3]);
        if (!size_bytes || *size_bytes > most_point_bytes)
            return bad(3, "a size in bytes");
        const auto first = rank(4), second = rank(5), count = rank(6);
        for (const auto& [number, column] : {std::pair(first, 4), {second, 5}, {count, 6}})
            if (!number)
                return bad(static_cast<std::size_t>(column), "a whole number");
        const auto value = number_of(fields[9]), taken = number_of(fields[10]);
        if (!value || *value < 0 || *value > most_sample)
            return bad(9, "a time");
        const auto retransmitted =
            fields[11].empty() ? std::optional<std::uint64_t>() : count_of(fields[11]);
        if (!fields[11].empty() && !retransmitted)
            return bad(11, "a number of segments");
        if (!source.clusters && (*first >= 0 || *second >= 0))
            return bad_line(source, *line,
                            fmt::format("a part of ranks that the table does not place; write "
                                        "CLUSTERS:{} with the campaign's clusters",
                                        source.file));
        const auto& ranks = source.clusters ? *source.clusters : *clusters;
        if (std::max(*first, *second) >= ranks.ranks() || clusters->ranks() > ranks.ranks())
            return bad_line(source, *line,
                            fmt::format("{} has {} ranks", ranks.text(), ranks.ranks()));
        std::optional<Summary> summary;
        if (fields.size() > of_calls && !fields[of_calls].empty()) {
            const auto calls = count_of(fields[of_calls]);
            if (!calls)
                return bad(of_calls, "a number of calls");
            summary = Summary{*calls, fields[of_calls + 1] == "1"};
        }
        read.add(ranks, {{fields[0], fields[1], *clusters, *size_bytes, *first, *second,
                          std::max(0, *count)},
                         {.value = *value,
                          .warmup = fields[8] == "1",
                          .taken_unix_s = taken.value_or(0),
                          .retransmitted = retransmitted,
                          .summary = summary}});
    }
    return read;
}

} // namespace

Result<CsvColumns> CsvColumns::parse(std::string_view text) {
    CsvColumns columns;
    for (const auto entry : split_at(text, ',')) {
        const auto at = entry.find_first_of("=:");
        const auto key = entry.substr(0, at);
        if (std::ranges::count(csv_keys, key) == 0 || at == entry.npos || at + 1 == entry.size())
            return bad_input(
                fmt::format("--columns: '{}' is not KEY=COLUMN or KEY:VALUE; keys are {}", entry,
                            fmt::join(csv_keys, ", ")));
        columns.of[std::string(key)] = {std::string(entry.substr(at + 1)), entry[at] == ':'};
    }
    return columns;
}

Result<ImportedTimes> read_columns(const ImportSource& source, const CsvTable& table,
                                   const CsvColumns& columns, std::string_view names) {
    CsvReader reader(source, table, columns, names);
    ALLTOLD_TRY_DONE(reader.check());
    return reader.read();
}

bool is_known_table(std::string_view line) {
    CsvTable titles;
    for (const auto title : split_at(line, ','))
        titles.titles.emplace_back(title);
    return is_exported(line) || known_table(titles);
}

Result<ImportedTimes> read_csv(const ImportSource& source) {
    Noise noise;
    ALLTOLD_TRY(table, read_table(source, noise));
    ALLTOLD_TRY_DONE(keep_only(*table, source));
    auto read = [&]() -> Result<ImportedTimes> {
        if (is_exported(fmt::format("{}", fmt::join(table->titles, ","))))
            return read_exported(source, *table);
        const auto* known = source.columns.of.empty() ? known_table(*table) : nullptr;
        auto columns = source.columns;
        if (known)
            columns.of = CsvColumns::parse(known->columns)->of;
        if (columns.of.empty())
            return bad_input(fmt::format(
                "{}: not a table that alltold knows; say by --columns what its columns hold: {}",
                source.file, table->titles_text()));
        return read_columns(source, *table, columns, known ? known->source : "csv");
    }();
    if (read)
        read->noise.add(noise);
    return read;
}

} // namespace alltold
