// SPDX-License-Identifier: BSD-3-Clause
// What timing an algorithm yields.
#pragma once

#include <string>

#include "core/estimate.hpp"

namespace alltold {

/// A time with its interval, how it was found, and what the buffers could not hold.
struct AlgorithmTime {
    Estimate time_s;
    std::string method;
    double dropped_bytes = 0;
    Estimate timeouts_s = {}; ///< what of time_s, at each end, is waiting for TCP's time-outs
};

} // namespace alltold
