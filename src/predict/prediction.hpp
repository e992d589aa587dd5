// SPDX-License-Identifier: BSD-3-Clause
// What every prediction of every collective says.
#pragma once

#include <string>
#include <vector>

#include "core/estimate.hpp"

namespace alltold {

/// A time, how sure it is, what physics allows at least, and what to know before trusting it.
/// All times in seconds.
struct Prediction {
    /// Where measured collectives correct the model, the 90 % interval of what will be measured.
    /// Else what the 95 % intervals of the model's parameters make of it, which says nothing of
    /// what the model does not know; exact where there are none.
    Estimate time_s;
    double bound_s = 0;     ///< lower bound without forwarding: SMT07 claim 3, proposition 1
    double nic_bound_s = 0; ///< lower bound of any algorithm: bytes through the busiest host
    std::string model;      ///< "signature", "gamma", "linear", "clement"; "plogp", ...
    std::vector<std::string> caveats; ///< one sentence each
};

} // namespace alltold
