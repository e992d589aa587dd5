// SPDX-License-Identifier: BSD-3-Clause
// Labarta's communication waves over a limited number of buses (SMT07, section 2).
#pragma once

#include <cmath>

#include "network/hockney/hockney.hpp"

namespace alltold {

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, whose n(n-1) messages pass over
/// `buses` >= 1 in ceil(n(n-1) / buses) waves of alpha + m beta each: Labarta et al. 1996 as cited
/// in SMT07 section 2. With n buses, one per process, it is SMT07 equation 1.
inline double waves_time_s(const Hockney& network, double buses, int n, double size_bytes) {
    return std::ceil(double(n) * (n - 1) / buses) * network.time_s(size_bytes);
}

} // namespace alltold
