// SPDX-License-Identifier: BSD-3-Clause
// Resampling with replacement and percentile intervals.
#include "core/bootstrap.hpp"

#include <algorithm>
#include <cassert>

#include "core/median.hpp"

namespace alltold {

std::vector<double> resample(std::span<const double> values, Random& random) {
    assert(!values.empty());
    std::vector<double> drawn(values.size());
    for (double& value : drawn)
        value = values[random.index(values.size())];
    return drawn;
}

Estimate percentile_interval(std::span<const double> draws, double level) {
    assert(level > 0 && level < 1);
    return {median(draws), quantile(draws, (1 - level) / 2), quantile(draws, (1 + level) / 2)};
}

Estimate estimate_from(double value, std::span<const double> draws) {
    const auto interval = percentile_interval(draws);
    return {value, std::min(value, interval.low), std::max(value, interval.high)};
}

} // namespace alltold
