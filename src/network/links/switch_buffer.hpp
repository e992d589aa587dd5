// SPDX-License-Identifier: BSD-3-Clause
// A switch's buffer that fills and overflows (TW99, equations 3 and 4).
#pragma once

#include <algorithm>
#include <limits>

namespace alltold {

/// When a buffer of B >= 0 items is full that A > 0 items per second enter and D > 0 leave: TW99
/// equation 3, B / (A - D); never (infinity) where A <= D.
inline double buffer_full_s(double buffer, double arrival_per_s, double departure_per_s) {
    return arrival_per_s > departure_per_s ? buffer / (arrival_per_s - departure_per_s)
                                           : std::numeric_limits<double>::infinity();
}

/// The share of k > 0 items that gets through it: TW99 equation 4, D/A + B/k, at most 1. B and k in
/// the same unit, packets or bytes; A and D too.
inline double transfer_ratio(double buffer, double items, double arrival_per_s,
                             double departure_per_s) {
    return std::min(1.0, departure_per_s / arrival_per_s + buffer / items);
}

} // namespace alltold
