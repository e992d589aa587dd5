// SPDX-License-Identifier: BSD-3-Clause
// Clement's contention factor for shared networks (SMT07, equation 3).
#pragma once

#include "network/hockney/hockney.hpp"

namespace alltold {

/// Time of an exchange in which all n >= 1 processes send m bytes at once over one shared medium:
/// SMT07 equation 3 after Clement et al. 1996, alpha + beta m gamma with gamma = n.
inline double clement_time_s(const Hockney& network, int n, double size_bytes) {
    return network.alpha_s + network.beta_s_per_byte * size_bytes * n;
}

} // namespace alltold
