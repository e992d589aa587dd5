// SPDX-License-Identifier: BSD-3-Clause
// The result of timing an algorithm.
#pragma once

#include <string>

#include "core/estimate.hpp"

namespace alltold {

/// A time with its interval, its method, and the bytes that buffers could not hold.
struct AlgorithmTime {
    Estimate time_s;
    std::string method;
    double dropped_bytes = 0;
    Estimate timeouts_s = {}; ///< part of time_s spent in TCP time-outs, at each end
};

} // namespace alltold
