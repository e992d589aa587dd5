// SPDX-License-Identifier: BSD-3-Clause
// A switch's buffer that fills and overflows (TW99, equation 4).
#pragma once

#include <algorithm>

namespace alltold {

/// The share of k > 0 items that gets through it: TW99 equation 4, D/A + B/k, at most 1. B and k in
/// the same unit, packets or bytes; A and D too.
inline double transfer_ratio(double buffer, double items, double arrival_per_s,
                             double departure_per_s) {
    return std::min(1.0, departure_per_s / arrival_per_s + buffer / items);
}

} // namespace alltold
