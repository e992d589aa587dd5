// SPDX-License-Identifier: BSD-3-Clause
// Numbers texts in the order of their first use.
#include "report/legend.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/wrapped.hpp"

namespace alltold {

std::string Legend::mark(const std::string& text) {
    const auto known = std::ranges::find(texts_, text);
    const auto number = known - texts_.begin() + 1;
    if (known == texts_.end())
        texts_.push_back(text);
    return std::to_string(number);
}

std::string Legend::text(const std::string& column) const {
    std::string lines;
    for (std::size_t i = 0; i < texts_.size(); ++i)
        lines += wrapped(fmt::format("{} {}: {}", column, i + 1, texts_[i]), 2);
    return lines;
}

} // namespace alltold
