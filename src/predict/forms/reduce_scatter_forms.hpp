// SPDX-License-Identifier: BSD-3-Clause
// Reductions that leave every rank its block, under pLogP.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds in which each of P >= 1 processes has its block of m bytes, combined from all of them; 0
// with one process. gamma is in seconds per byte (see reduce_forms.hpp).

namespace alltold::reduce_scatter {

/// Recursive halving: the sum over j < log2 P of L + g(2^j m) + 2^j m gamma; TRG05's
/// lg p alpha + (p-1)/p (n beta + n gamma), where n = p m. With P no power of two an upper bound:
/// in an odd interval of 2h + 1 ranks one receives two messages of h blocks, others one of h + 1.
double halving_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);

/// Circulant graph (Traeff 2024, algorithm 1): ceil(log2 P) rounds, of which one from i block sums
/// a rank to h = ceil(i/2) moves i - h: the sum of L + g((i-h) m) + (i-h) m gamma. Where i = 3 is
/// among them, a block leaves that the round before did not change, and need not wait for it.
double circulant_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);

/// Each round ends before the next begins, but for its combination. The rank that combines lower
/// ranks and higher ones apart has two combinations after the last round:
/// max((P-1)(L + g(m)) + 2 m gamma, 2 (L + g(m)) + (P-1) m gamma); L + g(m) + m gamma for P = 2.
double pairwise_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);
/// The same with every combination within its round, an upper bound:
/// (P-1)(L + g(m) + m gamma), TRG05's (p-1) alpha + (p-1)/p (n beta + n gamma).
double pairwise_bound_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);

/// Ring, in k segments of s bytes: P-1 passes, each as long as the way of a segment to the next
/// rank or as all segments keep a port or a processor busy:
/// (P-2) max(L + g(s) + s gamma, k g(s), m gamma) + L + g(s) + s gamma + (k-1) max(g(s), s gamma).
double ring_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
              double combine_s_per_byte);

} // namespace alltold::reduce_scatter
