// SPDX-License-Identifier: BSD-3-Clause
// Our exchanges under pLogP, without contention, beside BM04's table 3.
#pragma once

#include "network/plogp/alltoall_bounds.hpp"

// Seconds for P >= 1 processes and m bytes per pair; 0 with one process.

namespace alltold::alltoall {

// Our schedules under the same model, without contention and with processors that cost nothing.

/// Everyone serves ranks 0, 1, 2, ...: the last rank is served last by all at once,
/// (2P-3) g(m) + L.
double direct_s(const PLogP& network, int n, double size_bytes);
/// Rotated order, whatever the window: no two send to the same rank, (P-1) g(m) + L.
double rotated_s(const PLogP& network, int n, double size_bytes);
/// Each round ends before the next begins: (P-1)(g(m) + L).
double pairwise_s(const PLogP& network, int n, double size_bytes);
/// Bruck et al. 1997: round j moves the c_j blocks whose distance in 1 .. P-1 has bit j, sum over
/// j < ceil(log2 P) of g(c_j m) + L.
double bruck_s(const PLogP& network, int n, double size_bytes);

} // namespace alltold::alltoall
