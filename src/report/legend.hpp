// SPDX-License-Identifier: BSD-3-Clause
// Long texts of a table's cells, printed once below it.
#pragma once

#include <string>
#include <vector>

namespace alltold {

class Legend {
  public:
    /// The number by which the table's cells refer to `text`: "1", "2", ..., one for each text.
    std::string mark(const std::string& text);
    /// "by 1: links, simulated", one line for each number; `column` is the table's column.
    std::string text(const std::string& column) const;

  private:
    std::vector<std::string> texts_;
};

} // namespace alltold
