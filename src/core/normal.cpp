// SPDX-License-Identifier: BSD-3-Clause
// Normal quantiles by bisection on the error function: short, exact, and not in an inner loop.
#include "core/normal.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

namespace alltold {

double normal_probability(double z) {
    return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double normal_quantile(double probability) {
    assert(probability > 0 && probability < 1);
    double low = -40;
    double high = 40;
    while (true) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high)
            return middle;
        (normal_probability(middle) < probability ? low : high) = middle;
    }
}

} // namespace alltold
