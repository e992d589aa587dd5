// SPDX-License-Identifier: BSD-3-Clause
// The result of timing an algorithm.
#pragma once

#include <cmath>
#include <string>

#include "core/estimate.hpp"
#include "core/normal.hpp"

namespace alltold {

/// A queue that is filled less, of the whole, does not overflow by chance.
inline constexpr double well_filled = 0.5;
/// A queue that is said to be this full overflows in some calls: in random networks a third of the
/// algorithms that filled one so far lost packets, and one in seven of those that left a little
/// more room (docs/results/blind.md).
inline constexpr double nearly_full = 0.8;
/// What calls are expected to wait for time-outs that overflow a queue only if ranks start a little
/// apart.
inline constexpr double wait_apart_s = 0.1;
/// A queue that is said to be this full, and what calls that fill it so far, and all but gathers
/// that overflow it, take longer than modelled on average in random networks
/// (docs/results/blind.md).
inline constexpr double full = 0.9, wait_full_s = 0.03;
/// By which share all-to-alls of the library's own take longer than predicted that may lose packets
/// and are predicted to have no time-outs: the median in random networks (docs/results/blind.md).
inline constexpr double library_wait_share = 0.1;

/// A time with its interval, its method, and the bytes that buffers could not hold.
struct AlgorithmTime {
    Estimate time_s;
    std::string method;
    double dropped_bytes = 0;
    Estimate timeouts_s = {}; ///< part of time_s spent in TCP time-outs, at each end
    /// Largest share that waits at once of a buffer, as small as it may be; 0: not known.
    double fullest = 0;
    bool may_lose = false; ///< buffers overflow, or do if ranks start a little apart
    /// Of the time of idle connections, what they wait for TCP's windows.
    double window_share = 0;
    /// So many times as long on connections whose windows are small, as after a pause or losses.
    double small_windows = 1;

    /// Standard deviation of the log time by time-outs alone, taken for log-normal.
    double timeout_sd() const {
        const double bare_s = time_s.value - timeouts_s.value;
        const double quick_s = bare_s + timeouts_s.low, slow_s = bare_s + timeouts_s.high;
        return quick_s > 0 && slow_s > quick_s ? std::log(slow_s / quick_s) / (2 * normal_reach)
                                               : 0;
    }
};

} // namespace alltold
