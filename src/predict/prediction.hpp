// SPDX-License-Identifier: BSD-3-Clause
// What every prediction of every collective says.
#pragma once

#include <string>
#include <vector>

namespace alltold {

/// A time, how sure it is, what physics allows at least, and what to know before trusting it.
/// All times in seconds.
struct Prediction {
    double time_s = 0;
    double low_s = 0; ///< 95 % interval; equal to time_s where the source gives no intervals
    double high_s = 0;
    double bound_s = 0;     ///< lower bound without forwarding: SMT07 claim 3, proposition 1
    double nic_bound_s = 0; ///< lower bound of any algorithm: bytes through the busiest host
    std::string model;      ///< "signature", "gamma", "linear", "clement"; "plogp", ...
    std::vector<std::string> caveats; ///< one sentence each
};

} // namespace alltold
