// SPDX-License-Identifier: BSD-3-Clause
// Tables of plain text with aligned columns.
#pragma once

#include <string>
#include <vector>

namespace alltold {

class TextTable {
  public:
    enum class Align { left, right };

    /// Adds a column; all columns come before the first row.
    void column(std::string heading, Align align = Align::right);
    /// Adds a row of one cell per column.
    void row(std::vector<std::string> cells);
    /// Headings, a rule, the rows; two blanks between columns, none at the end of a line.
    std::string text() const;

  private:
    std::string line(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) const;

    std::vector<std::string> headings_;
    std::vector<Align> aligns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace alltold
