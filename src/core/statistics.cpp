// SPDX-License-Identifier: BSD-3-Clause
#include "core/statistics.hpp"

#include <algorithm>
#include <limits>

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

namespace {

template <typename Probability>
double quantile(double probability, double most, Probability&& below) {
    assert(probability > 0 && probability < 1);
    double low = -most;
    double high = most;
    while (true) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high)
            return middle;
        (below(middle) < probability ? low : high) = middle;
    }
}

} // namespace

double normal_probability(double z) {
    return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double student_probability(double t, int freedom) {
    assert(freedom >= 1);
    const double angle = std::atan(t / std::sqrt(freedom));
    const double square = std::pow(std::cos(angle), 2);
    const bool odd = freedom % 2 != 0;
    double term = odd ? std::cos(angle) : 1;
    double sum = odd && freedom == 1 ? 0 : term;
    for (int k = odd ? 3 : 2; k < freedom; k += 2) {
        term *= square * (k - 1) / k;
        sum += term;
    }
    const double inside =
        odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
    return (1 + inside) / 2;
}

double normal_quantile(double probability) {
    return quantile(probability, 40, normal_probability);
}

double student_quantile(double probability, int freedom) {
    return quantile(probability, 1e6, [&](double t) { return student_probability(t, freedom); });
}

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
