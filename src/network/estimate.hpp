// SPDX-License-Identifier: BSD-3-Clause
// A fitted number and its interval.
#pragma once

namespace alltold {

/// A value with its 95 % interval; low <= value <= high. An exact value has all three equal.
struct Estimate {
    double value = 0;
    double low = 0;
    double high = 0;

    static Estimate exact(double x) { return {x, x, x}; }
    bool covers(double x) const { return low <= x && x <= high; }
};

} // namespace alltold
