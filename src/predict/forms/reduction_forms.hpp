// SPDX-License-Identifier: BSD-3-Clause
// Reductions and scans under pLogP.
#pragma once

#include "predict/forms/closed_forms.hpp"

// Seconds in which P >= 1 processes have the combination of their vectors of m bytes; 0 with one
// process. gamma, `combine_s_per_byte`, is what a byte of one contribution costs a processor, which
// combines one after another; an operator that commutes.

namespace alltold {

// At a root.
namespace reduce {

/// Everyone to the root r, whose port takes ranks in their order, while its processor combines
/// those above it first and those below it then:
/// L + (r+1) g(m) + m gamma + (P-2-r) max(g(m), m gamma) + r m gamma. The last rank as the root
/// waits for all: L + (P-1)(g(m) + m gamma).
Form flat_s;

/// Binomial tree: ceil(log2 P)(L + g(m) + m gamma), TRG05's lg p (alpha + n beta + n gamma). With
/// P no power of two an upper bound: not every rank waits in every round.
Form binomial_s;
/// A binomial tree over halved intervals of ranks, for every P and root, by recursion over
/// intervals.
Form binomial_exact_s;

/// Segmented chain, the pipeline: (P-1)(L + g(s) + s gamma) + (k-1) max(g(s), s gamma), with
/// segments equal but for a byte.
Form chain_segmented_s;

/// Binary search tree with one segment, for every P and root, by recursion over intervals; each
/// further one adds 2 max(g(s), s gamma), which two children take at their parent.
Form binary_segmented_s;

/// Circulant graph (Traeff 2024) with q = ceil(log2 P): q (L + g(s) + s gamma) + (k-1 + min(q,
/// k-1)) max(g(s), s gamma). Exact for one segment from a power of two of ranks; segments overtake
/// each other.
Form circulant_s;

/// Recursive halving of blocks of b = m/P bytes (reduce_scatter::halving_s) and a gather of
/// them (Rabenseifner 2004): for a power of two the sum over j < log2 P of
/// 2 (L + g(2^j b)) + 2^j b gamma, TRG05's 2 lg p alpha + 2 (p-1)/p n beta + (p-1)/p n gamma.
Form rabenseifner_s;

} // namespace reduce

// On every rank. A vector is cut into P blocks of b = m/P bytes where an algorithm moves blocks;
// they differ by a byte where P does not divide m.
namespace allreduce {

/// Rank 0 combines while it receives, and then sends:
/// 2 L + P g(m) + m gamma + (P-2) max(g(m), m gamma).
Form flat_s;

/// Recursive doubling: log2 P (L + g(m) + m gamma), TRG05's lg p (alpha + n beta + n gamma). With P
/// no power of two, a round more before it and a message after, an upper bound.
Form recursive_doubling_s;

/// Recursive halving and doubling (Rabenseifner 2004): the sum over j < log2 P of
/// 2 (L + g(2^j b)) + 2^j b gamma, TRG05's 2 lg p alpha + 2 (p-1)/p n beta + (p-1)/p n gamma. With
/// P no power of two as reduce_scatter::halving_s.
Form rabenseifner_s;

/// Circulant graph (Traeff 2024, algorithm 2): reduce_scatter::circulant_s of blocks of b bytes and
/// the same rounds backwards, without combinations.
Form circulant_s;

/// Ring (Patarasuk and Yuan 2009) with the largest block for all, in k segments of s bytes: P-1
/// passes as in reduce_scatter::ring_s, and P-1 without combinations. With h = L + g(s) the time is
/// (P-2)(max(h + s gamma, k g(s), k s gamma) + max(h, k g(s))) + h +
/// max(h + s gamma + (k-1) max(g(s), s gamma), (2k-1) g(s)).
Form ring_s;

/// Segmented chain to rank 0 and back: (P-1)(2 L + 2 g(s) + s gamma) + (k-1) max(g(s), s gamma).
/// Where a rank still has segments to send down when the first ones come back, its port has to
/// carry all of them twice: at least
/// (P-2)(L + g(s) + s gamma) + (P-3)(L + g(s)) + L + 2 k g(s).
Form chain_segmented_s;

} // namespace allreduce

// Its block of m bytes on every rank.
namespace reduce_scatter {

/// Recursive halving: the sum over j < log2 P of L + g(2^j m) + 2^j m gamma; TRG05's
/// lg p alpha + (p-1)/p (n beta + n gamma), where n = p m. With P no power of two an upper bound:
/// in an odd interval of 2h + 1 ranks one receives two messages of h blocks, others one of h + 1.
Form halving_s;

/// Circulant graph (Traeff 2024, algorithm 1): ceil(log2 P) rounds, of which one from i block sums
/// a rank to h = ceil(i/2) moves i - h: the sum of L + g((i-h) m) + (i-h) m gamma. Where i = 3 is
/// among them, a block leaves that the round before did not change, and need not wait for it.
Form circulant_s;

/// Each round ends before the next begins, but for its combination. The rank that combines lower
/// ranks and higher ones apart has two combinations after the last round:
/// max((P-1)(L + g(m)) + 2 m gamma, 2 (L + g(m)) + (P-1) m gamma); L + g(m) + m gamma for P = 2.
Form pairwise_s;
/// The exchange with every combination within its round, an upper bound:
/// (P-1)(L + g(m) + m gamma), TRG05's (p-1) alpha + (p-1)/p (n beta + n gamma).
Form pairwise_bound_s;

/// Ring, in k segments of s bytes: P-1 passes, each as long as the way of a segment to the next
/// rank or as all segments keep a port or a processor busy:
/// (P-2) max(L + g(s) + s gamma, k g(s), m gamma) + L + g(s) + s gamma + (k-1) max(g(s), s gamma).
Form ring_s;

} // namespace reduce_scatter

// The combination of the ranks up to each, or below it.
namespace scan {

/// Distances 1, 2, 4, ... (Hillis and Steele 1986): ceil(log2 P)(L + g(m) + m gamma). With P no
/// power of two not every round waits for the one before. With L < 2 g(m) low ranks, which are done
/// early, may keep a port from a message that is needed sooner.
Form recursive_doubling_s;

} // namespace scan

namespace exscan {

/// Distances 1, 2, 3, 6, 12, ...: r rounds of L + g(m) + m gamma, as many as there are distances
/// below P - 1, and one. P - 1 = 1, 3, 6, 12, ... ranks fill them; P = 2 combines nothing.
Form recursive_doubling_s;

/// The pipeline, of which the last rank combines nothing:
/// (P-1)(L + g(s)) + (P-2) s gamma + (k-1) max(g(s), s gamma); L + k g(s) for P = 2.
Form chain_segmented_s;

} // namespace exscan

} // namespace alltold
