// SPDX-License-Identifier: BSD-3-Clause
// The campaign over SQLite: one transaction a sample.
#include "store/campaign.hpp"

#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "store/database.hpp"
#include "store/same_network.hpp"
#include "store/stored_provenance.hpp"
#include "store/writer_lock.hpp"

namespace alltold {

/// A stored point: its row and the repetition number its next sample gets.
struct StoredPoint {
    std::int64_t id = 0;
    int next_repetition = 0;
};

namespace {

namespace fs = std::filesystem;

/// The fields that identify a point, in the order of the table's columns.
auto key_of(const Point& point) {
    return std::tuple(point.probe, point.algorithm, point.clusters.text(),
                      static_cast<std::int64_t>(point.size_bytes), point.first_rank,
                      point.second_rank, point.count);
}
using PointKey = decltype(key_of(Point{}));

/// Not a number for text.
double time_of(const SQLite::Column& column) {
    return column.isFloat() || column.isInteger() ? column.getDouble() : std::nan("");
}

/// From the columns after the first of Campaign::points().
Result<Point> read_point(const fs::path& path, SQLite::Statement& rows) {
    ALLTOLD_TRY(clusters, read_clusters(path, rows.getColumn(3).getString()));
    for (const int i : {4, 5, 6, 7})
        if (const auto column = rows.getColumn(i);
            !column.isInteger() || (i > 4 && column.getInt() != column.getInt64()))
            return bad_input(fmt::format(
                "{}: damaged: a point of probe '{}' has {} {}; expected a whole number{}",
                path.string(), rows.getColumn(1).getString(), column.getName(), column.getString(),
                i > 4 ? " of 32 bits" : ""));
    return Point{
        rows.getColumn(1).getString(), rows.getColumn(2).getString(),
        std::move(*clusters),          static_cast<std::uint64_t>(rows.getColumn(4).getInt64()),
        rows.getColumn(5).getInt(),    rows.getColumn(6).getInt(),
        rows.getColumn(7).getInt()};
}

/// Empty where it was not counted.
Result<std::optional<std::uint64_t>> read_retransmitted(const fs::path& path, const Point& point,
                                                        const SQLite::Column& column) {
    if (column.isNull())
        return std::optional<std::uint64_t>();
    if (column.isInteger() && column.getInt64() >= 0)
        return std::optional(static_cast<std::uint64_t>(column.getInt64()));
    return bad_input(fmt::format("{}: damaged: a retransmission of probe '{}' has segments {}; "
                                 "expected a whole number, 0 or more",
                                 path.string(), point.probe, column.getString()));
}

/// Empty for a single call. A number that cannot be one says nothing.
std::optional<Summary> read_summary(SQLite::Statement& rows) {
    const auto calls = rows.getColumn(13);
    if (calls.isNull())
        return std::nullopt;
    return Summary{static_cast<std::uint64_t>(std::max<std::int64_t>(0, calls.getInt64())),
                   rows.getColumn(14).getInt() != 0};
}

std::map<PointKey, StoredPoint> read_rows(SQLite::Database& database) {
    SQLite::Statement rows(
        database,
        "SELECT probe, algorithm, clusters, size_bytes, first_rank, second_rank, count, id, "
        "(SELECT coalesce(max(repetition) + 1, 0) FROM sample WHERE point = id) FROM point");
    std::map<PointKey, StoredPoint> known;
    while (rows.executeStep())
        known.emplace(PointKey{rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                               rows.getColumn(2).getString(), rows.getColumn(3).getInt64(),
                               rows.getColumn(4).getInt(), rows.getColumn(5).getInt(),
                               rows.getColumn(6).getInt()},
                      StoredPoint{rows.getColumn(7).getInt64(), rows.getColumn(8).getInt()});
    return known;
}

std::int64_t insert_point(SQLite::Database& database, const PointKey& key) {
    run(database,
        "INSERT INTO point (probe, algorithm, clusters, size_bytes, first_rank, second_rank, "
        "count) VALUES (?, ?, ?, ?, ?, ?, ?)",
        key);
    return database.getLastInsertRowid();
}

/// Units other than seconds, by probe.
std::map<std::string, std::string> read_units(const SQLite::Database& database) {
    // Campaigns from before they were kept have these.
    std::map<std::string, std::string> units{
        {"eager", "B"}, {"packet", "B"}, {"flood_queue", "packets"}};
    if (!database.tableExists("unit"))
        return units;
    SQLite::Statement rows(database, "SELECT probe, name FROM unit");
    while (rows.executeStep())
        units.insert_or_assign(rows.getColumn(0).getString(), rows.getColumn(1).getString());
    return units;
}

/// A campaign that may be written.
struct Opened {
    WriterLock lock; ///< outlives the database
    SQLite::Database database;
    std::optional<Provenance> there; ///< empty if it does not say yet where was measured
    Provenance network;              ///< to be
};

/// Fails for one of another network than `here`. Changes nothing in a campaign that is there.
Result<Opened> open_like(const fs::path& path, const Provenance& here) {
    ALLTOLD_TRY(lock, WriterLock::take(path));
    ALLTOLD_TRY(database, open_for_writing(path));
    ALLTOLD_TRY(there, read_provenance(*database, path));
    if (!*there)
        return Opened{std::move(*lock), std::move(*database), std::nullopt, here};
    auto network = network_of_both(**there, here);
    if (!network)
        return bad_input(
            fmt::format("{}: describes another network: {}; use another file, or folder of a study",
                        path.string(), network.error().message));
    return Opened{std::move(*lock), std::move(*database), std::move(*there), std::move(*network)};
}

} // namespace

struct Campaign::State {
    fs::path path;
    std::optional<WriterLock> lock; ///< held by a writer only; outlives the database
    SQLite::Database database;
    std::int64_t session = 0;
    std::map<PointKey, StoredPoint> rows;               ///< a writer's view of the table of points
    std::optional<StoreFiles> files;                    ///< a writer's
    std::set<std::string, std::less<>> units_kept = {}; ///< by this writer

    ~State() {
        if (files)
            files->check() ? settle(database) : abandon(database);
    }

    /// Commits what `write` does, all of it or nothing.
    template <typename Write>
    Status commit(Write&& write) {
        assert(lock && "a campaign opened for reading");
        return guarded(path, [&]() -> Status {
            SQLite::Transaction transaction(database);
            write();
            transaction.commit();
            return files->check();
        });
    }

    /// Inserts a sample in the open transaction; `rows_then` gets what `rows` is to say of its
    /// point once that is committed. Its repetition number.
    int insert(std::map<PointKey, StoredPoint>& rows_then, const Point& point,
               const Sample& sample);
    /// Only after a commit: one that failed leaves no trace.
    void take(const std::map<PointKey, StoredPoint>& rows_then) {
        for (const auto& [key, row] : rows_then)
            rows.insert_or_assign(key, row);
    }
};

Campaign::Campaign(std::unique_ptr<State> state) : state_(std::move(state)) {}
Campaign::Campaign(Campaign&&) noexcept = default;
Campaign& Campaign::operator=(Campaign&&) noexcept = default;
Campaign::~Campaign() = default;

Result<Campaign> Campaign::resume(const fs::path& path, const Provenance& here,
                                  std::uint64_t seed) {
    return guarded(path, [&]() -> Result<Campaign> {
        ALLTOLD_TRY(opened, open_like(path, here));
        auto& [lock, database, there, network] = *opened;
        begin_writing(database);
        SQLite::Transaction transaction(database);
        if (!there)
            insert_network(database, network);
        else if (is_imported(*there))
            grow_network(database, *there, network);
        const auto session = insert_session(database, here, seed);
        transaction.commit();
        auto rows = read_rows(database);
        return Campaign(
            std::unique_ptr<State>(new State{path, std::move(lock), std::move(database), session,
                                             std::move(rows), StoreFiles(path)}));
    });
}

Status Campaign::may_resume(const fs::path& path, const Provenance& here) {
    return guarded(path, [&]() -> Status {
        std::error_code failed;
        if (!fs::exists(path, failed))
            return Done{};
        const auto opened = open_like(path, here);
        return opened ? Status(Done{}) : opened.error();
    });
}

Result<Campaign> Campaign::read(const fs::path& path) {
    ALLTOLD_TRY(database, open_for_reading(path));
    return Campaign(
        std::unique_ptr<State>(new State{path, std::nullopt, std::move(*database), 0, {}, {}}));
}

int Campaign::State::insert(std::map<PointKey, StoredPoint>& rows_then, const Point& point,
                            const Sample& sample) {
    const auto key = key_of(point);
    auto& row =
        rows_then.try_emplace(key, rows.contains(key) ? rows.at(key) : StoredPoint{}).first->second;
    if (row.id == 0)
        row.id = insert_point(database, key);
    run(database, "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?)", row.id, row.next_repetition,
        session, sample.value, sample.warmup ? 1 : 0,
        sample.taken_unix_s > 0 ? sample.taken_unix_s : unix_time_s());
    if (sample.retransmitted)
        run(database, "INSERT INTO retransmission VALUES (?, ?, ?)", row.id, row.next_repetition,
            static_cast<std::int64_t>(*sample.retransmitted));
    if (sample.summary)
        run(database, "INSERT INTO summary VALUES (?, ?, ?, ?)", row.id, row.next_repetition,
            static_cast<std::int64_t>(sample.summary->calls),
            sample.summary->mean_of_ranks ? 1 : 0);
    return row.next_repetition++;
}

Result<int> Campaign::add(const Point& point, double time_s, bool warmup,
                          std::optional<std::uint64_t> retransmitted) {
    std::map<PointKey, StoredPoint> rows_then;
    int repetition = 0;
    ALLTOLD_TRY_DONE(state_->commit([&] {
        repetition = state_->insert(
            rows_then, point, {.value = time_s, .warmup = warmup, .retransmitted = retransmitted});
    }));
    state_->take(rows_then);
    return repetition;
}

Status Campaign::measured_in(std::string_view probe, std::string_view unit) {
    if (state_->units_kept.contains(probe))
        return Done{};
    auto committed = state_->commit([&] {
        run(state_->database, "INSERT OR REPLACE INTO unit VALUES (?, ?)", std::string(probe),
            std::string(unit));
    });
    if (committed)
        state_->units_kept.emplace(probe);
    return committed;
}

Status Campaign::add_all(std::span<const std::pair<Point, Sample>> samples) {
    std::map<PointKey, StoredPoint> rows_then;
    auto committed = state_->commit([&] {
        for (const auto& [point, sample] : samples)
            state_->insert(rows_then, point, sample);
    });
    if (committed)
        state_->take(rows_then);
    return committed;
}

Status Campaign::keep(std::span<const StoredPrediction> predictions) {
    return state_->commit([&] {
        for (const auto& [point, time_s, held_out, method] : predictions) {
            const auto row = state_->rows.find(key_of(point));
            if (row != state_->rows.end())
                run(state_->database, "INSERT OR REPLACE INTO prediction VALUES (?, ?, ?, ?, ?, ?)",
                    row->second.id, held_out ? 1 : 0, time_s.value, time_s.low, time_s.high,
                    method);
        }
    });
}

Result<Provenance> Campaign::provenance() const {
    return guarded(state_->path, [&]() -> Result<Provenance> {
        ALLTOLD_TRY(there, read_provenance(state_->database, state_->path));
        if (!*there)
            return bad_input(
                fmt::format("{}: contains no measurements yet; run 'alltold measure' first",
                            state_->path.string()));
        return std::move(**there);
    });
}

Result<std::vector<PointSamples>> Campaign::points() const {
    return guarded(state_->path, [&]() -> Result<std::vector<PointSamples>> {
        ALLTOLD_TRY(there, read_provenance(state_->database, state_->path));
        // One statement, for a consistent view beside an active writer.
        std::string columns = "id, probe, algorithm, clusters, size_bytes, first_rank, "
                              "second_rank, count, sample.repetition, time_s, warmup, taken_unix_s",
                    from = "point JOIN sample ON sample.point = id";
        struct BesideSamples {
            const char *table, *columns, *without;
        };
        // Campaigns of an older alltold lack these tables.
        for (const auto& [table, its, without] :
             {BesideSamples{"retransmission", "segments", "NULL"},
              BesideSamples{"summary", "calls, mean_of_ranks", "NULL, NULL"}}) {
            const bool kept = state_->database.tableExists(table);
            columns += fmt::format(", {}", kept ? its : without);
            if (kept)
                from += fmt::format(
                    " LEFT JOIN {0} ON {0}.point = id AND {0}.repetition = sample.repetition",
                    table);
        }
        SQLite::Statement rows(
            state_->database,
            fmt::format("SELECT {} FROM {} ORDER BY id, sample.repetition", columns, from));
        const auto units = read_units(state_->database);
        std::vector<PointSamples> points;
        std::int64_t current = -1;
        while (rows.executeStep()) {
            if (const auto id = rows.getColumn(0).getInt64(); id != current) {
                ALLTOLD_TRY(point, read_point(state_->path, rows));
                const auto unit = units.find(point->probe);
                points.push_back({std::move(*point), {}, unit == units.end() ? "s" : unit->second});
                ALLTOLD_TRY_DONE(
                    check_text(state_->path, "unit", points.back().unit, most_name_bytes));
                current = id;
                if (*there)
                    ALLTOLD_TRY_DONE(
                        check_point(state_->path, points.back().point, (*there)->clusters));
            }
            auto& [point, samples, unit] = points.back();
            ALLTOLD_TRY(retransmitted, read_retransmitted(state_->path, point, rows.getColumn(12)));
            samples.push_back({rows.getColumn(8).getInt(), time_of(rows.getColumn(9)),
                               rows.getColumn(10).getInt() != 0, rows.getColumn(11).getDouble(),
                               *retransmitted, read_summary(rows)});
            ALLTOLD_TRY_DONE(check_sample(state_->path, point, samples.back()));
        }
        return points;
    });
}

Status Campaign::note(const std::string& text) {
    return state_->commit([&] {
        run(state_->database, "INSERT INTO note (session, taken_unix_s, text) VALUES (?, ?, ?)",
            state_->session, unix_time_s(), text);
    });
}

Result<std::vector<std::string>> Campaign::notes() const {
    return guarded(state_->path, [&]() -> Result<std::vector<std::string>> {
        SQLite::Statement rows(state_->database, "SELECT text FROM note ORDER BY id");
        std::vector<std::string> texts;
        while (rows.executeStep())
            texts.push_back(rows.getColumn(0).getString());
        return texts;
    });
}

} // namespace alltold
