// SPDX-License-Identifier: BSD-3-Clause
// Plain text: wrapped paragraphs, tables with aligned columns, and the long texts of their cells,
// printed once below.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace alltold {

class TextTable {
  public:
    enum class Align { left, right };

    /// Adds a column; add all columns before the first row.
    void column(std::string heading, Align align = Align::right);
    void columns(std::initializer_list<const char*> headings, Align align = Align::right);
    /// Adds a row of one cell per column.
    void row(std::vector<std::string> cells);
    /// Adds a line of text above the rows that follow, which are then all indented.
    void group(std::string heading);
    /// Headings, a line, the rows; two spaces between columns, no trailing spaces.
    std::string text() const;

  private:
    std::string line(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) const;

    std::vector<std::string> headings_;
    std::vector<Align> aligns_;
    /// One cell per column, or none for the next heading of a group.
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::string> groups_;
};

class Legend {
  public:
    /// The number by which the table's cells refer to `text`: "1", "2", ..., one for each text.
    std::string mark(const std::string& text);
    /// "by 1: links, simulated", one line for each number; `column` is the table's column.
    std::string text(const std::string& column) const;

  private:
    std::vector<std::string> texts_;
};

/// Width of all that is printed for a person.
inline constexpr std::size_t page_columns = 100;

/// `text` broken between words into lines of at most `columns`, each with a newline. Lines after
/// the first start with `indent` blanks and those before the last end with `mark`, which counts. A
/// longer word gets a line of its own.
std::string wrapped(const std::string& text, std::size_t indent = 0,
                    std::size_t columns = page_columns, std::string_view mark = "");

} // namespace alltold
