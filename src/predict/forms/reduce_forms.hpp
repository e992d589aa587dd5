// SPDX-License-Identifier: BSD-3-Clause
// Reductions to a root under pLogP.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds in which the root has combined the vectors of m bytes of P >= 1 processes; 0 with one
// process. gamma, `combine_s_per_byte`, is what a byte of one contribution costs a processor, which
// combines one after another; an operator that commutes.

namespace alltold::reduce {

/// Everyone to the root r, whose port takes ranks in their order, while its processor combines
/// those above it first and those below it then:
/// L + (r+1) g(m) + m gamma + (P-2-r) max(g(m), m gamma) + r m gamma. The last rank as the root
/// waits for all: L + (P-1)(g(m) + m gamma).
double flat_s(const PLogP& network, int n, int root, double size_bytes, double combine_s_per_byte);

/// Binomial tree: ceil(log2 P)(L + g(m) + m gamma), TRG05's lg p (alpha + n beta + n gamma). With
/// P no power of two an upper bound: not every rank waits in every round.
double binomial_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);
/// The same tree over halved intervals of ranks, for every P and root, by recursion over intervals.
double binomial_exact_s(const PLogP& network, int n, int root, double size_bytes,
                        double combine_s_per_byte);

/// Segmented chain, the pipeline: (P-1)(L + g(s) + s gamma) + (k-1) max(g(s), s gamma), with
/// segments equal but for a byte.
double chain_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                         double combine_s_per_byte);

/// Binary search tree with one segment, for every P and root, by recursion over intervals; each
/// further one adds 2 max(g(s), s gamma), which two children take at their parent.
double binary_segmented_s(const PLogP& network, int n, int root, double size_bytes,
                          double segment_bytes, double combine_s_per_byte);

/// Circulant graph (Traeff 2024), a lower bound: the broadcast backwards (bcast::circulant_bound_s)
/// and the combination of the last segment.
double circulant_bound_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                         double combine_s_per_byte);
/// With q = ceil(log2 P): q (L + g(s) + s gamma) + (k-1 + min(q, k-1)) max(g(s), s gamma). Exact
/// for one segment from a power of two of ranks; segments overtake each other.
double circulant_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                   double combine_s_per_byte);

/// Recursive halving of blocks of b = m/P bytes (reduce_scatter::halving_s) and a gather of
/// them (Rabenseifner 2004): for a power of two the sum over j < log2 P of
/// 2 (L + g(2^j b)) + 2^j b gamma, TRG05's 2 lg p alpha + 2 (p-1)/p n beta + (p-1)/p n gamma.
double rabenseifner_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);

} // namespace alltold::reduce
