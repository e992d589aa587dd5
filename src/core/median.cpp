// SPDX-License-Identifier: BSD-3-Clause
// Medians, quantiles and intervals by order statistics.
#include "core/median.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "core/normal.hpp"

namespace alltold {
namespace {

/// The largest k for which the k-th smallest and k-th largest of `count` values hold the median
/// with probability `level`; 0 if even the extremes do not. P(fewer than k below) is binomial.
std::size_t bracket(std::size_t count, double level) {
    double term = std::pow(0.5, static_cast<double>(count));
    if (count > 1000) { // the power would underflow, and the normal limit is exact enough
        const auto n = static_cast<double>(count);
        return static_cast<std::size_t>(n / 2 -
                                        normal_quantile((1 + level) / 2) * std::sqrt(n) / 2);
    }
    double below = 0;
    std::size_t k = 0;
    for (; 2 * (below + term) <= 1 - level; ++k) {
        below += term;
        term *= static_cast<double>(count - k) / static_cast<double>(k + 1);
    }
    return k;
}

} // namespace

double quantile(std::span<const double> values, double level) {
    assert(!values.empty() && level >= 0 && level <= 1);
    std::vector<double> sorted(values.begin(), values.end());
    const double place = level * static_cast<double>(sorted.size() - 1);
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(sorted.begin(), at, sorted.end());
    const double fraction = place - std::floor(place);
    if (fraction == 0)
        return *at;
    return *at + fraction * (*std::min_element(at + 1, sorted.end()) - *at);
}

double median(std::span<const double> values) {
    return quantile(values, 0.5);
}

Estimate median_interval(std::span<const double> values, double level) {
    assert(!values.empty() && level > 0 && level < 1);
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    const std::size_t k = bracket(sorted.size(), level);
    if (k == 0)
        return {median(sorted), -unbounded, unbounded};
    return {median(sorted), sorted[k - 1], sorted[sorted.size() - k]};
}

double median_standard_error(std::span<const double> values) {
    const double centre = median(values);
    std::vector<double> deviations;
    for (const double value : values)
        deviations.push_back(std::abs(value - centre));
    // 1.4826 makes the deviation a standard deviation for normal values, 1.2533 = sqrt(pi / 2) is
    // the price of a median over a mean.
    return 1.4826 * median(deviations) * 1.2533 / std::sqrt(static_cast<double>(values.size()));
}

} // namespace alltold
