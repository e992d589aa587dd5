// SPDX-License-Identifier: BSD-3-Clause
// Normal distributions of logarithms.
#include "core/chance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace alltold {

double log_deviation(const Estimate& estimate) {
    constexpr double least = 1e-3;
    constexpr double reach = 1.645; // of a 90 % interval
    if (!(estimate.low > 0) || !std::isfinite(estimate.high))
        return INFINITY;
    return std::max(least, std::log(estimate.high / estimate.low) / (2 * reach));
}

double chance_of_more(const Estimate& one, const Estimate& other) {
    const double deviation = std::hypot(log_deviation(one), log_deviation(other));
    if (!std::isfinite(deviation))
        return 0.5;
    return std::erfc(std::log(other.value / one.value) / deviation / std::numbers::sqrt2) / 2;
}

} // namespace alltold
