// SPDX-License-Identifier: BSD-3-Clause
// Scans, with and without the own contribution, under pLogP.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds in which each of P >= 1 processes has the combination of those up to it, or below it, of
// m bytes; 0 with one process. gamma is in seconds per byte (see reduce_forms.hpp).

namespace alltold::scan {

/// Distances 1, 2, 4, ... (Hillis and Steele 1986): ceil(log2 P)(L + g(m) + m gamma). With P no
/// power of two not every round waits for the one before. With L < 2 g(m) low ranks, which are done
/// early, may keep a port from a message that is needed sooner.
double recursive_doubling_s(const PLogP& network, int n, double size_bytes,
                            double combine_s_per_byte);

} // namespace alltold::scan

namespace alltold::exscan {

/// Distances 1, 2, 3, 6, 12, ...: r rounds of L + g(m) + m gamma, as many as there are distances
/// below P - 1, and one. P - 1 = 1, 3, 6, 12, ... ranks fill them; P = 2 combines nothing.
double recursive_doubling_s(const PLogP& network, int n, double size_bytes,
                            double combine_s_per_byte);

/// The pipeline, of which the last rank combines nothing:
/// (P-1)(L + g(s)) + (P-2) s gamma + (k-1) max(g(s), s gamma); L + k g(s) for P = 2.
double chain_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                         double combine_s_per_byte);

} // namespace alltold::exscan
