// SPDX-License-Identifier: BSD-3-Clause
// Opens a campaign's SQLite file, makes its tables, and turns SQLite's exceptions into errors.
#pragma once

#include <filesystem>

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include "core/result.hpp"

namespace alltold {

/// Translates an exception of SQLite for the user of `path`: a full disk, a foreign file, a lock.
Error database_error(const std::filesystem::path& path, const SQLite::Exception& error);

/// Runs `body`, which returns a Result or Status, and turns an exception of SQLite into an Error.
template <typename Body>
auto guarded(const std::filesystem::path& path, Body&& body) -> decltype(body()) {
    try {
        return std::forward<Body>(body)();
    } catch (const SQLite::Exception& error) {
        return database_error(path, error);
    }
}

/// Runs one statement, such as an INSERT, with `values` for its question marks.
template <typename... Values>
void run(SQLite::Database& database, const char* text, const Values&... values) {
    SQLite::Statement statement(database, text);
    SQLite::bind(statement, values...);
    statement.exec();
}

/// Opens a campaign that must exist, for reading. Fails, naming the file, when it is missing, no
/// regular file, empty, truncated, foreign or of another version.
Result<SQLite::Database> open_for_reading(const std::filesystem::path& path);

/// Opens a campaign for writing; where there is no file, or an empty one, makes the tables.
/// A kill leaves either the empty file or all tables. Another file stays as it is until
/// begin_writing. Fails as open_for_reading does.
Result<SQLite::Database> open_for_writing(const std::filesystem::path& path);

/// Adds the views that an earlier version may not have made, and begins a write-ahead log.
void begin_writing(SQLite::Database& database);

/// Folds the write-ahead log back into the one file, where no reader holds it.
void settle(SQLite::Database& database) noexcept;

/// Lets closing remove and write nothing: other files may have the names of this one and its log.
void abandon(SQLite::Database& database) noexcept;

} // namespace alltold
