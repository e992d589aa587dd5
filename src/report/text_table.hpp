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
    /// Headings, a line, the rows; two spaces between columns, no trailing spaces.
    std::string text() const;

  private:
    std::string line(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) const;

    std::vector<std::string> headings_;
    std::vector<Align> aligns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace alltold
