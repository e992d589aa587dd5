// SPDX-License-Identifier: BSD-3-Clause
// All-to-all under pLogP (BM04, table 3): its bounds, and the time between them.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds for P >= 1 processes and m bytes per pair; 0 with one process.

namespace alltold::alltoall {

/// Upper bound, links used one message after the other: (P-1) g(m) + (P-1) o_r(m) + L.
inline double upper_s(const PLogP& network, int n, double size_bytes) {
    const double each_s = network.g_s(size_bytes) + network.o_r(size_bytes);
    return n < 2 ? 0 : (n - 1) * each_s + network.L_s.value;
}

/// Lower bound, the processors' part alone: (P-1) o_s(m) + (P-1) o_r(m) + L.
inline double lower_s(const PLogP& network, int n, double size_bytes) {
    const double each_s = network.o_s(size_bytes) + network.o_r(size_bytes);
    return n < 2 ? 0 : (n - 1) * each_s + network.L_s.value;
}

/// BM04, section 5.1: lower + (upper - lower) gamma, gamma a property of the network; 0.4 on the
/// paper's.
inline double between_s(const PLogP& network, int n, double size_bytes, double gamma) {
    const double lower = lower_s(network, n, size_bytes);
    return lower + (upper_s(network, n, size_bytes) - lower) * gamma;
}

} // namespace alltold::alltoall
