// SPDX-License-Identifier: BSD-3-Clause
// Our allgathers under pLogP.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds for P >= 1 processes and m bytes per block; 0 with one process.

namespace alltold::allgather {

/// Every rank forwards what has come: (P-1)(g(m) + L).
inline double ring_s(const PLogP& network, int n, double size_bytes) {
    return (n - 1) * (network.g_s(size_bytes) + network.L_s.value);
}

} // namespace alltold::allgather
