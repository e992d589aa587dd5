// SPDX-License-Identifier: BSD-3-Clause
// Quantiles by bisection on the probability: short, exact, and not in an inner loop.
#include "core/normal.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

namespace alltold {
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

} // namespace alltold
