// SPDX-License-Identifier: BSD-3-Clause
// All-to-all with a contention ratio alone (SMT07, equation 4).
#pragma once

#include "network/hockney/hockney.hpp"

namespace alltold {

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, when contention stretches the
/// bandwidth term by gamma >= 1: SMT07 equation 4, (n-1)(alpha + m beta gamma).
inline double contention_ratio_time_s(const Hockney& network, double gamma, int n,
                                      double size_bytes) {
    return (n - 1) * (network.alpha_s + size_bytes * network.beta_s_per_byte * gamma);
}

} // namespace alltold
