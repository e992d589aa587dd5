// SPDX-License-Identifier: BSD-3-Clause
// Plain-text tables with aligned columns.
#pragma once

#include <string>
#include <vector>

namespace alltold {

class TextTable {
  public:
    enum class Align { left, right };

    /// Adds a column; add all columns before the first row.
    void column(std::string heading, Align align = Align::right);
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

} // namespace alltold
