// SPDX-License-Identifier: BSD-3-Clause
#include "store/database.hpp"

#include <system_error>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/text_file.hpp"

namespace alltold {
namespace {

namespace fs = std::filesystem;

constexpr int application_id = 0x61746f6c; // "atol", so that file(1) and we know our own
constexpr int format_version = 3;
constexpr int busy_timeout_ms = 5000;

constexpr const char* tables = R"sql(
CREATE TABLE network (
    clusters TEXT NOT NULL, mpi_library TEXT NOT NULL, start_mode TEXT NOT NULL);
CREATE TABLE host (rank INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE session (
    id INTEGER PRIMARY KEY, started_unix_s REAL NOT NULL, seed TEXT NOT NULL,
    kernel TEXT NOT NULL, clock_method TEXT NOT NULL, clusters_from TEXT NOT NULL);
CREATE TABLE point (
    id INTEGER PRIMARY KEY, probe TEXT NOT NULL, algorithm TEXT NOT NULL, clusters TEXT NOT NULL,
    size_bytes INTEGER NOT NULL, first_rank INTEGER NOT NULL, second_rank INTEGER NOT NULL,
    count INTEGER NOT NULL,
    UNIQUE (probe, algorithm, clusters, size_bytes, first_rank, second_rank, count));
CREATE TABLE sample (
    point INTEGER NOT NULL REFERENCES point (id), repetition INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES session (id),
    time_s REAL NOT NULL, warmup INTEGER NOT NULL, taken_unix_s REAL NOT NULL,
    UNIQUE (point, repetition));
CREATE TABLE note (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session (id),
    taken_unix_s REAL NOT NULL, text TEXT NOT NULL);
)sql";

/// Units other than seconds, what readers with other programs want, predictions beside what was
/// measured then, TCP segments that hosts retransmitted, and of how many calls a value is.
/// Campaigns of earlier versions get them when they are opened for writing.
constexpr const char* views = R"sql(
CREATE TABLE IF NOT EXISTS unit (probe TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS retransmission (
    point INTEGER NOT NULL REFERENCES point (id), repetition INTEGER NOT NULL,
    segments INTEGER NOT NULL, PRIMARY KEY (point, repetition)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS summary (
    point INTEGER NOT NULL REFERENCES point (id), repetition INTEGER NOT NULL,
    calls INTEGER NOT NULL, mean_of_ranks INTEGER NOT NULL,
    PRIMARY KEY (point, repetition)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS prediction (
    point INTEGER PRIMARY KEY REFERENCES point (id), held_out INTEGER NOT NULL,
    time_s REAL NOT NULL, low_s REAL NOT NULL, high_s REAL NOT NULL, method TEXT NOT NULL);
DROP VIEW IF EXISTS samples;
CREATE VIEW samples AS
    SELECT probe, algorithm, clusters, size_bytes, first_rank, second_rank, count,
           sample.repetition, time_s, warmup, taken_unix_s, session, segments AS retransmitted,
           calls, mean_of_ranks
    FROM sample JOIN point ON point.id = sample.point
         LEFT JOIN retransmission ON retransmission.point = sample.point
                                     AND retransmission.repetition = sample.repetition
         LEFT JOIN summary ON summary.point = sample.point
                              AND summary.repetition = sample.repetition;
CREATE VIEW IF NOT EXISTS calls AS
    WITH placed AS (
        SELECT point, time_s, row_number() OVER (PARTITION BY point ORDER BY time_s) AS place,
               count(*) OVER (PARTITION BY point) AS repetitions
        FROM sample WHERE warmup = 0)
    SELECT point, probe, algorithm, clusters, size_bytes, first_rank, second_rank, count,
           repetitions,
           avg(CASE WHEN place IN ((repetitions + 1) / 2, (repetitions + 2) / 2)
                    THEN time_s END) AS median_s,
           min(time_s) AS least_s, max(time_s) AS greatest_s
    FROM placed JOIN point ON point.id = placed.point GROUP BY point;
CREATE VIEW IF NOT EXISTS predictions AS
    SELECT probe, algorithm, clusters, size_bytes, median_s, repetitions,
           time_s AS predicted_s, low_s, high_s, median_s BETWEEN low_s AND high_s AS inside,
           held_out, method
    FROM prediction JOIN calls ON calls.point = prediction.point;
)sql";

constexpr const char* count_of_disguised = R"sql(
SELECT count(*) FROM sqlite_master WHERE type = 'view' AND name COLLATE NOCASE IN
    ('network', 'host', 'session', 'point', 'sample', 'note', 'prediction', 'unit',
     'retransmission', 'summary'))sql";

constexpr const char* wanted = "expected a campaign made by 'alltold measure'";

int pragma(SQLite::Database& database, const char* name) {
    return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

Error unusable(const fs::path& path, std::string_view why) {
    return bad_input(fmt::format("{}: {}; {}", path.string(), why, wanted));
}

/// Checks the file by the file system alone; true if it is not empty.
Result<bool> look_at(const fs::path& path) {
    std::error_code code;
    const auto status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found)
        return false;
    if (code == std::errc::filename_too_long)
        return unusable(path, "the name is too long");
    if (code)
        return environment(fmt::format("{}: {}", path.string(), code.message()));
    if (status.type() != fs::file_type::regular)
        return unusable(path,
                        fs::is_directory(status) ? "is a directory" : "is not a regular file");
    const auto size = fs::file_size(path, code);
    if (code)
        return environment(fmt::format("{}: {}", path.string(), code.message()));
    return size > 0;
}

/// Whether the file is shorter than its pages: SQLite reads the missing end of a page as zeros.
/// With a write-ahead log this is unknown, and irrelevant: the log holds the end.
bool cut_short(SQLite::Database& database, const fs::path& path) {
    std::error_code code;
    if (fs::file_size(path.string() + "-wal", code) > 0 && !code)
        return false;
    const auto pages = static_cast<std::uintmax_t>(pragma(database, "page_count"));
    const auto page_bytes = static_cast<std::uintmax_t>(pragma(database, "page_size"));
    return fs::file_size(path, code) < pages * page_bytes;
}

/// Fails unless the open file is a whole campaign of this version.
Status check(SQLite::Database& database, const fs::path& path) {
    if (pragma(database, "application_id") != application_id)
        return unusable(path, "is another program's database");
    if (const int version = pragma(database, "user_version"); version != format_version)
        return unusable(path, fmt::format("has format {}, but this alltold reads format {}; "
                                          "measure again into another file",
                                          version, format_version));
    const std::string verdict = database.execAndGet("PRAGMA quick_check(1)").getString();
    if (verdict != "ok" || cut_short(database, path))
        return unusable(path, "is damaged or truncated");
    if (database.execAndGet(count_of_disguised).getInt() > 0) // one of them may never end
        return unusable(path, "has views in place of tables");
    return Done{};
}

/// All tables in one transaction, so that a kill leaves none or all of them.
void make_tables(SQLite::Database& database) {
    SQLite::Transaction transaction(database);
    database.exec(tables);
    database.exec(fmt::format("PRAGMA application_id = {}", application_id));
    database.exec(fmt::format("PRAGMA user_version = {}", format_version));
    transaction.commit();
}

} // namespace

Error database_error(const fs::path& path, const SQLite::Exception& error) {
    const auto here = path.string();
    switch (error.getErrorCode() & 0xff) {
    case SQLITE_FULL:
        return environment(fmt::format("{}: the disk is full; free some space and run the same "
                                       "command again; all measurements so far are kept",
                                       here));
    case SQLITE_NOTADB:
        return unusable(path, "is not an SQLite database, or its start is damaged");
    case SQLITE_CORRUPT:
        return unusable(path, "is damaged or truncated");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return environment(fmt::format("{}: locked by another process", here));
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return environment(fmt::format("{}: cannot write it; check the permissions of the "
                                       "file and its directory",
                                       here));
    case SQLITE_CANTOPEN:
        return environment(fmt::format("{}: cannot open it; check the permissions of the file "
                                       "and its directory",
                                       here));
    case SQLITE_IOERR:
        return environment(
            fmt::format("{}: reading or writing failed; check the disk and the file system", here));
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
        return unusable(path, "holds a value that does not fit into memory");
    case SQLITE_CONSTRAINT:
        return unusable(path, "is damaged: its rows contradict each other");
    default:
        return unusable(path, "does not have alltold's tables");
    }
}

Result<SQLite::Database> open_for_reading(const fs::path& path) {
    return guarded(path, [&]() -> Result<SQLite::Database> {
        ALLTOLD_TRY(filled, look_at(path));
        if (!*filled)
            return unusable(path, fs::exists(path) ? "is empty" : "no such file");
        SQLite::Database database(path, SQLite::OPEN_READONLY, busy_timeout_ms);
        ALLTOLD_TRY_DONE(check(database, path));
        return database;
    });
}

Result<SQLite::Database> open_for_writing(const fs::path& path) {
    return guarded(path, [&]() -> Result<SQLite::Database> {
        ALLTOLD_TRY_DONE(look_at(path));
        ALLTOLD_TRY_DONE(check_writable(path));
        SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                                  busy_timeout_ms);
        // Ask SQLite, which rolls back a half-made file; the file's size is no indication. SQLite
        // takes a file of one byte for empty, but that is no campaign.
        if (pragma(database, "page_count") == 0 && fs::file_size(path) == 0)
            make_tables(database);
        ALLTOLD_TRY_DONE(check(database, path));
        return database;
    });
}

void begin_writing(SQLite::Database& database) {
    database.exec(views);
    // A write-ahead log allows concurrent readers. At `normal` a commit survives a crash of the
    // process at once, and of the machine from the next checkpoint on, without a disk flush per
    // sample.
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
}

void settle(SQLite::Database& database) noexcept {
    try {
        database.setBusyTimeout(0);
        database.exec("PRAGMA journal_mode = DELETE");
    } catch (const SQLite::Exception&) {
        // A reader holds the log; the next writer folds it in.
    }
}

void abandon(SQLite::Database& database) noexcept {
    sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

} // namespace alltold
