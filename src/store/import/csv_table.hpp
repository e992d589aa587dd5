// SPDX-License-Identifier: BSD-3-Clause
// Comma-separated values with a line of titles (RFC 4180, without fields of several lines).
#pragma once

#include "store/import/readers.hpp"

namespace alltold {

/// One line of a table.
struct CsvRow {
    const TextLine* line = nullptr;
    std::vector<std::string> fields; ///< as many as there are titles
};

struct CsvTable {
    std::vector<std::string> titles;
    std::vector<CsvRow> rows;

    std::optional<std::size_t> column(std::string_view title) const;
    /// "a, b, c".
    std::string titles_text() const;
};

/// Between commas; between semicolons or tabs where the line of titles has more of those. Lines
/// without a separator are noise where there are several columns. Fails, naming the line, where a
/// quote does not end on its line or the fields are not as many as the titles.
Result<CsvTable> read_table(const ImportSource& source, Noise& noise);

/// The times of the rows by `columns`. Algorithms that are not the library's are named after
/// `names`. Fails where a column that is named is not there or one is missing.
Result<ImportedTimes> read_columns(const ImportSource& source, const CsvTable& table,
                                   const CsvColumns& columns, std::string_view names);

/// The title of the times in PICO's raw files.
inline constexpr std::string_view pico_title = "highest";

/// Whether a line has the titles of a table that read_csv knows without columns.
bool is_known_table(std::string_view line);

} // namespace alltold
