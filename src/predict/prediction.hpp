// SPDX-License-Identifier: BSD-3-Clause
// The result of a prediction, the same for all collectives.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/estimate.hpp"

namespace alltold {

/// A time with its interval, its lower bound and its caveats. All times in seconds.
struct Prediction {
    /// If measured collectives correct the model, the 90 % interval of future measurements. Else
    /// that of the model's parameters, widened by what a model is usually wrong by; exact without
    /// intervals of parameters.
    Estimate time_s;
    double bound_s = 0; ///< what no algorithm can beat (collective_bound_s); 0: not known
    /// Of the library's all-to-all, SMT07 proposition 1: (n-1)(alpha + beta m), the least without
    /// forwarding and with start-ups one after the other. A schedule may forward, and may overlap
    /// start-ups.
    double proposition_1_s = 0;
    /// Of a call that may lose packets, the time if it loses none: what it takes at least. Empty:
    /// not known.
    std::optional<Estimate> lossless_s = {};
    double overflow_bytes = 0;        ///< what buffers cannot hold, according to the model
    bool may_lose = false;            ///< AlgorithmTime::may_lose
    double small_windows = 1;         ///< AlgorithmTime::small_windows, not in time_s
    std::string model;                ///< "signature", "gamma", "linear", "clement"; "plogp", ...
    std::vector<std::string> caveats; ///< one sentence each
};

/// Rates, and with them bounds, are known up to this ratio.
inline constexpr double bounds_known = 1.03;

/// `time_s`, but not below the bound.
inline Estimate not_below(const Estimate& time_s, double bound_s) {
    return {std::max(time_s.value, bound_s), std::max(time_s.low, bound_s / bounds_known),
            std::max(time_s.high, bound_s * bounds_known)};
}

} // namespace alltold
