// SPDX-License-Identifier: BSD-3-Clause
// A model's time for one call, before measured calls correct it.
#pragma once

#include <string>

#include "core/statistics.hpp"

namespace alltold {

/// How a time is known.
enum class Known : std::uint8_t {
    simulated,
    closed_form,    ///< exact or not, as `method` says
    fewer_segments, ///< a line through simulations of fewer segments: nearly as good
    fewer_hosts,    ///< power laws through simulations of fewer hosts or ranks: rough
    equation,       ///< a model of the MPI library's all-to-all
    measured,       ///< this very call was
    grown           ///< by the growth of measured calls with ranks and bytes
};

/// A model's time for one call. Seconds and bytes.
struct ModelTime {
    Estimate time_s = {};      ///< with time-outs; value 0: the model cannot time the call
    Estimate timeouts_s = {};  ///< part of time_s spent in TCP's time-outs, at each end
    double timeout_sd = 0;     ///< standard deviation of log time, by time-outs alone
    double overflow_bytes = 0; ///< bytes that buffers cannot hold
    bool may_lose = false;     ///< buffers overflow, or do if ranks start a little apart
    double fullest = 0; ///< largest share of a queue taken at once, the queue as small as it may
                        ///< be; 0: not known
    /// Share of the time on idle connections that is spent waiting for TCP's windows.
    double window_share = 0;
    /// Ratio of the time on connections with small windows, as after a pause or losses, to time_s.
    double small_windows = 1;
    bool rendezvous = false; ///< its longest messages exceed the eager limit
    std::string runs = {};   ///< algorithm that the MPI library is taken to run; empty: not known
    Known known = Known::simulated;
    std::string method = "simulated"; ///< for people: "BM04 table 1", "extrapolated from ..."

    /// timeout_sd from the ends of timeouts_s, taken for log-normal.
    double sd_of_timeouts() const {
        const double bare_s = time_s.value - timeouts_s.value;
        const double quick_s = bare_s + timeouts_s.low, slow_s = bare_s + timeouts_s.high;
        return quick_s > 0 && slow_s > quick_s ? std::log(slow_s / quick_s) / (2 * normal_reach)
                                               : 0;
    }
};

} // namespace alltold
