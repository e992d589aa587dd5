// SPDX-License-Identifier: BSD-3-Clause
// Reductions that leave every rank the result, under pLogP.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds in which each of P >= 1 processes has the combination of all vectors of m bytes; 0 with
// one process. gamma is in seconds per byte (see reduce_forms.hpp). A vector is cut into P blocks
// of b = m/P bytes where an algorithm moves blocks; they differ by a byte where P does not divide
// m.

namespace alltold::allreduce {

/// Rank 0 combines while it receives, and then sends:
/// 2 L + P g(m) + m gamma + (P-2) max(g(m), m gamma).
double flat_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);

/// Recursive doubling: log2 P (L + g(m) + m gamma), TRG05's lg p (alpha + n beta + n gamma). With P
/// no power of two, a round more before it and a message after, an upper bound.
double recursive_doubling_s(const PLogP& network, int n, double size_bytes,
                            double combine_s_per_byte);

/// Recursive halving and doubling (Rabenseifner 2004): the sum over j < log2 P of
/// 2 (L + g(2^j b)) + 2^j b gamma, TRG05's 2 lg p alpha + 2 (p-1)/p n beta + (p-1)/p n gamma. With
/// P no power of two as reduce_scatter::halving_s.
double rabenseifner_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);

/// Circulant graph (Traeff 2024, algorithm 2): reduce_scatter::circulant_s of blocks of b bytes and
/// the same rounds backwards, without combinations.
double circulant_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte);

/// Ring (Patarasuk and Yuan 2009) with the largest block for all, in k segments of s bytes: P-1
/// passes as in reduce_scatter::ring_s, and P-1 without combinations. With h = L + g(s) the time is
/// (P-2)(max(h + s gamma, k g(s), k s gamma) + max(h, k g(s))) + h +
/// max(h + s gamma + (k-1) max(g(s), s gamma), (2k-1) g(s)).
double ring_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
              double combine_s_per_byte);

/// Segmented chain to rank 0 and back: (P-1)(2 L + 2 g(s) + s gamma) + (k-1) max(g(s), s gamma).
/// Where a rank still has segments to send down when the first ones come back, its port has to
/// carry all of them twice: at least
/// (P-2)(L + g(s) + s gamma) + (P-3)(L + g(s)) + L + 2 k g(s).
double chain_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                         double combine_s_per_byte);

} // namespace alltold::allreduce
