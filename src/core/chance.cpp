// SPDX-License-Identifier: BSD-3-Clause
// Normal distributions of logarithms.
#include "core/chance.hpp"

#include <algorithm>
#include <cmath>

#include "core/normal.hpp"

namespace alltold {
namespace {

/// The standard deviation of the logarithm; at least a thousandth, infinite if it is unknown.
double log_deviation(const Estimate& estimate) {
    constexpr double least = 1e-3;
    if (!(estimate.low > 0) || !std::isfinite(estimate.high))
        return INFINITY;
    return std::max(least, std::log(estimate.high / estimate.low) / (2 * normal_reach));
}

} // namespace

double chance_of_more(const Estimate& one, const Estimate& other) {
    const double deviation = std::hypot(log_deviation(one), log_deviation(other));
    return normal_probability(std::log(one.value / other.value) / deviation);
}

} // namespace alltold
