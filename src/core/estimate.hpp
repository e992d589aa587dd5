// SPDX-License-Identifier: BSD-3-Clause
// A number and its interval.
#pragma once

#include <cmath>

namespace alltold {

/// A value with its interval, of 95 % unless said otherwise; low <= value <= high. An exact value
/// has all three equal.
struct Estimate {
    double value = 0;
    double low = 0;
    double high = 0;

    static Estimate exact(double x) { return {x, x, x}; }
    /// Half the interval's width over the value: what "known to 5 %" means. Infinite where there
    /// were too few values for an interval.
    double relative_half_width() const { return (high - low) / 2 / std::abs(value); }
    bool covers(double x) const { return low <= x && x <= high; }
    bool operator==(const Estimate&) const = default;
};

} // namespace alltold
