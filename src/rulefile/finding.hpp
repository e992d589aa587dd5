// SPDX-License-Identifier: BSD-3-Clause
// Something in a rules file that its library reads differently from what it says.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace alltold::rulefile {

struct Finding {
    int line = 0;      ///< counts from 1; 0: the file as a whole
    std::string what;  ///< what the library does with it
    std::string right; ///< what would be right
};

class Findings {
  public:
    void add(int line, std::string what, std::string right) {
        list_.push_back({line, std::move(what), std::move(right)});
    }
    /// In the order of lines.
    std::vector<Finding> sorted() && {
        std::ranges::stable_sort(list_, {}, &Finding::line);
        return std::move(list_);
    }

  private:
    std::vector<Finding> list_;
};

} // namespace alltold::rulefile
