// SPDX-License-Identifier: BSD-3-Clause
// What the benchmarks share: the middle of what was timed.
#pragma once

#include <algorithm>
#include <vector>

namespace alltold_bench {

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace alltold_bench
