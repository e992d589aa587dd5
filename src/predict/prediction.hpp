// SPDX-License-Identifier: BSD-3-Clause
// The result of a prediction, the same for all collectives.
#pragma once

#include <string>
#include <vector>

#include "core/estimate.hpp"

namespace alltold {

/// A time with its interval, its lower bounds and its caveats. All times in seconds.
struct Prediction {
    /// If measured collectives correct the model, the 90 % interval of future measurements. Else
    /// the interval that follows from the 95 % intervals of the model's parameters, which does not
    /// cover the model's own error; exact without such intervals.
    Estimate time_s;
    double bound_s = 0;     ///< lower bound without forwarding: SMT07 claim 3, proposition 1
    double nic_bound_s = 0; ///< lower bound of any algorithm: bytes through the busiest host
    std::string model;      ///< "signature", "gamma", "linear", "clement"; "plogp", ...
    std::vector<std::string> caveats; ///< one sentence each
};

} // namespace alltold
