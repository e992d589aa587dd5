// SPDX-License-Identifier: BSD-3-Clause
// All-to-all without contention (SMT07, equation 1 and proposition 1).
#pragma once

#include "network/hockney/hockney.hpp"

namespace alltold {

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, as n - 1 messages one after the
/// other: SMT07 equation 1, (n-1)(alpha + m beta). Proposition 1 makes it the lower bound of a
/// total exchange without forwarding on a homogeneous network.
inline double linear_time_s(const Hockney& network, int n, double size_bytes) {
    return (n - 1) * network.time_s(size_bytes);
}

} // namespace alltold
