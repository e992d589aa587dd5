// SPDX-License-Identifier: BSD-3-Clause
// PICO's raw files, results/SYSTEM/TIMESTAMP/TEST/COUNT_ALGORITHM_DATATYPE.csv: nanoseconds of each
// call, of the slowest rank and maybe of all, whose collective and nodes SYSTEM_metadata.csv tells.
#include <fmt/format.h>

#include "core/limits.hpp"
#include "core/text_file.hpp"
#include "store/import/csv_table.hpp"

namespace alltold {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 8> pico_datatypes{{
    {"int8", 1},
    {"char", 1},
    {"int16", 2},
    {"int32", 4},
    {"int", 4},
    {"float", 4},
    {"int64", 8},
    {"double", 8},
}};

/// Elements, algorithm and datatype in a file's name.
struct PicoName {
    std::uint64_t count = 0;
    std::string algorithm;
    std::uint64_t element_bytes = 4; ///< where the name has no datatype, as on Fugaku

    static std::optional<PicoName> of(const std::string& file) {
        const auto stem = fs::path(file).stem().string();
        const auto end_of_count = stem.find('_');
        const auto count = count_of(std::string_view(stem).substr(0, end_of_count));
        if (!count || end_of_count == stem.npos)
            return std::nullopt;
        PicoName name{*count, stem.substr(end_of_count + 1)};
        const auto last = name.algorithm.rfind('_');
        const auto known =
            std::ranges::find(pico_datatypes, std::string_view(name.algorithm).substr(last + 1),
                              [](const auto& one) { return one.first; });
        if (last != name.algorithm.npos && known != pico_datatypes.end()) {
            name.algorithm.erase(last);
            name.element_bytes = known->second;
        }
        return name;
    }
};

/// SYSTEM_metadata.csv beside the folder SYSTEM of results/SYSTEM/TIMESTAMP/TEST/file.
fs::path metadata_of(const fs::path& file) {
    const auto system = file.parent_path().parent_path().parent_path();
    return system.parent_path() / (system.filename().string() + "_metadata.csv");
}

/// A test in the metadata.
struct PicoTest {
    std::string collective, hosts, ranks_per_host, library;
};

/// Empty where there is no metadata of the file's test.
Result<std::optional<PicoTest>> test_of_file(const std::string& name) {
    const auto file = fs::absolute(name).lexically_normal();
    const auto metadata = metadata_of(file);
    std::error_code failed;
    if (!fs::is_regular_file(metadata, failed))
        return std::optional<PicoTest>();
    ALLTOLD_TRY(text, read_text_file(metadata, "PICO's metadata", most_data_bytes));
    const auto lines = lines_of(*text);
    Noise noise;
    ALLTOLD_TRY(table, read_table({lines, metadata.string()}, noise));
    const auto of = [&](const CsvRow& row, std::string_view title) {
        const auto column = table->column(title);
        return column ? row.fields[*column] : std::string();
    };
    for (const auto& row : table->rows)
        if (of(row, "timestamp") == file.parent_path().parent_path().filename() &&
            of(row, "test_id") == file.parent_path().filename())
            return std::optional(PicoTest{of(row, "collective_type"), of(row, "nnodes"),
                                          of(row, "tasks_per_node"),
                                          of(row, "mpi_lib") + " " + of(row, "mpi_lib_version")});
    return std::optional<PicoTest>();
}

/// The metadata's words, or else the user's, as a table's columns of all rows.
Result<CsvColumns> columns_of_file(const ImportSource& source, const PicoName& name) {
    auto columns = source.columns;
    const auto fix = [&](const char* key, const std::string& value) {
        columns.of.try_emplace(key, CsvColumns::Where{value, true});
    };
    ALLTOLD_TRY(test, test_of_file(source.file));
    if (*test) {
        fix("collective", (*test)->collective);
        fix("library", (*test)->library);
        if (!source.clusters) {
            fix("hosts", (*test)->hosts);
            fix("ranks_per_host", (*test)->ranks_per_host);
        }
    }
    if (!columns.of.contains("collective"))
        return bad_input(
            fmt::format("{}: no {} names its collective; give --columns collective:NAME",
                        source.file, metadata_of(fs::absolute(source.file)).string()));
    fix("total_bytes", std::to_string(name.count * name.element_bytes));
    fix("total_count", std::to_string(name.count));
    fix("algorithm", name.algorithm);
    columns.of["time_ns"] = {std::string(pico_title), false};
    return columns;
}

} // namespace

Result<ImportedTimes> read_pico(const ImportSource& source) {
    Noise noise;
    ALLTOLD_TRY(table, read_table(source, noise));
    if (table->titles.empty() || table->titles.front() != pico_title)
        return read_csv(source);
    const auto name = PicoName::of(source.file);
    if (!name || name->count > most_size_bytes / name->element_bytes)
        return bad_input(fmt::format("{}: expected a name such as 1024_ring_over_int32.csv: "
                                     "elements, algorithm, datatype",
                                     source.file));
    std::erase_if(table->rows, [&](const CsvRow& row) { // the only column has no separator to tell
        if (kind_of(row.line->text) == LineKind::row)
            return false;
        noise.add(source.file, *row.line);
        return true;
    });
    ALLTOLD_TRY(columns, columns_of_file(source, *name));
    ALLTOLD_TRY(read, read_columns(source, *table, *columns, "pico"));
    read->noise.add(noise);
    for (auto& time : read->times)
        time.sample.summary.reset();
    if (!read->times.empty())
        read->times.front().sample.warmup = true; // PICO calls nothing before it
    return read;
}

} // namespace alltold
