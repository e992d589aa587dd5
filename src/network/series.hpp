// SPDX-License-Identifier: BSD-3-Clause
// The input of fits: the repetitions of one measured point.
#pragma once

#include <cstddef>
#include <vector>

namespace alltold {

/// Fewer repetitions of a point than this are left out of fits.
inline constexpr std::size_t fewest_repetitions = 3;

/// All repetitions of one point, warm-up left out.
struct Series {
    int n = 2;                   ///< participating processes
    double size_bytes = 0;       ///< m: the message, or for all-to-all the message per pair
    std::vector<double> times_s; ///< one time per repetition; a ping-pong's is half its round trip
    int group = 0; ///< series of one group share what does not change between repetitions: a pair
};

} // namespace alltold
