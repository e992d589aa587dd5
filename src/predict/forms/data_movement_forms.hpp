// SPDX-License-Identifier: BSD-3-Clause
// Collectives that move data, and barriers, under pLogP.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds for P >= 1 processes and m bytes per message or block; 0 with one process.

namespace alltold {

// Broadcast (BM04, table 1); the text of an equation is as the paper prints it.
namespace bcast {

/// Flat tree: (P-1) g(m) + L.
double flat_s(const PLogP& network, int n, double size_bytes);
/// Flat tree, rendezvous: (P-1) g(m) + 2 g(1) + 3 L.
double flat_rendezvous_s(const PLogP& network, int n, double size_bytes);
/// Segmented flat tree: (P-1)(g(s) k) + L, with segments equal but for a byte.
double flat_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes);
/// Chain: (P-1)(g(m) + L).
double chain_s(const PLogP& network, int n, double size_bytes);
/// Chain, rendezvous: (P-1)(g(m) + 2 g(1) + 3 L).
double chain_rendezvous_s(const PLogP& network, int n, double size_bytes);
/// Segmented chain, the pipeline: (P-1)(g(s) + L) + g(s)(k-1).
double chain_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes);
/// Binomial tree: floor(log2 P) g(m) + ceil(log2 P) L. With P no power of two a tree that serves
/// its largest subtree first takes ceil(log2 P) g(m) + floor(log2 P) L (binomial_exact_s).
double binomial_s(const PLogP& network, int n, double size_bytes);
/// Binomial tree, rendezvous: floor(log2 P) g(m) + ceil(log2 P)(2 g(1) + 3 L).
double binomial_rendezvous_s(const PLogP& network, int n, double size_bytes);
/// Segmented binomial tree: floor(log2 P) g(s) k + ceil(log2 P) L; it counts no pipelining between
/// rounds.
double binomial_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes);

// Forms missing from the paper's table, derived for our schedules under the paper's model.

/// Requests to all children leave before the first message does:
/// max((P-1) g(1), 2 g(1) + 2 L) + (P-1) g(m) + L, for g(m) >= g(1). The paper's formula wherever
/// (P-3) g(1) <= 2 L.
double flat_rendezvous_exact_s(const PLogP& network, int n, double size_bytes);
/// The heap-shaped binary tree, left child first: with D = floor(log2 P) and c = P - 2^D + 1 places
/// in the last row, max((D-1)(2 g(m) + L), D (g(m) + L) + floor(log2 c) g(m)).
double binary_exact_s(const PLogP& network, int n, double size_bytes);
/// Largest subtree first: ceil(log2 P) g(m) + floor(log2 P) L. The last child served costs the most
/// gaps, and no place below P has more than floor(log2 P) hops that are all late ones.
double binomial_exact_s(const PLogP& network, int n, double size_bytes);
/// A binomial tree with requests to all children of a node before its first message (see
/// flat_rendezvous_exact_s), for g(m) >= g(1): a recursion over subtrees.
double binomial_rendezvous_exact_s(const PLogP& network, int n, double size_bytes);

/// Segmented binomial tree, an upper bound for every P: ceil(log2 P) g(s) k + floor(log2 P) L, what
/// binomial_exact_s would take with k gaps a message; segments of later rounds overlap earlier
/// ones.
double binomial_segmented_bound_s(const PLogP& network, int n, double size_bytes,
                                  double segment_bytes);

/// Circulant graph (Traeff 2022) with q = ceil(log2 P): k - 1 gaps and (q + min(q, k - 1)) (g(s) +
/// L). Exact for one segment to a power of two of ranks; else an approximation. A rank with several
/// segments at hand sends the one that came first, not the one whose round it is, which costs about
/// q rounds more.
double circulant_s(const PLogP& network, int n, double size_bytes, double segment_bytes);

} // namespace bcast

// Scatter (BM04, table 2): until each process has its block.
namespace scatter {

using bcast::flat_s;
/// Chain: sum over j = 1 .. P-1 of g(j m), + (P-1) L.
double chain_s(const PLogP& network, int n, double size_bytes);
/// Binomial tree: sum over j = 0 .. ceil(log2 P) - 1 of g(2^j m), + ceil(log2 P) L. With P no power
/// of two it counts blocks that do not exist.
double binomial_s(const PLogP& network, int n, double size_bytes);
/// The binomial tree, largest subtree first, each message with the blocks there are: our schedule
/// for every P, by recursion over subtrees. The paper's sum where P is a power of two.
double binomial_exact_s(const PLogP& network, int n, double size_bytes);

} // namespace scatter

// Gather: the mirror of scatter (BM04, section 4), and the windowed gather.
namespace gather {

using scatter::binomial_s;
using scatter::chain_s;
using scatter::flat_s;
/// TW99's algorithm 1 with w senders at a time (0: all) and synchronous sends, which cost
/// 2 g(1) + 2 L (BM04's rendezvous): the root is busy without a break, or the last of
/// B = ceil((P-1)/w) rounds, q = g(m) + 3 g(1) + 3 L apart, ends it:
/// 2 g(1) + 3 L + max((P-1) g(m), (B-1) q + (P-1 - (B-1) w) g(m)).
/// Ours; the paper has equation 8 instead, under its own model (gather_window.hpp).
double windowed_s(const PLogP& network, int n, double size_bytes, int window);

} // namespace gather

// Exchanges, without contention and with processors that cost nothing. BM04's table 3 has bounds
// for them (alltoall_bounds.hpp).
namespace alltoall {

/// Everyone serves ranks 0, 1, 2, ...: the last rank is served last by all at once,
/// (2P-3) g(m) + L.
double direct_s(const PLogP& network, int n, double size_bytes);
/// Rotated order, whatever the window: no two send to the same rank, (P-1) g(m) + L.
double rotated_s(const PLogP& network, int n, double size_bytes);
/// Each round ends before the next begins: (P-1)(g(m) + L).
double pairwise_s(const PLogP& network, int n, double size_bytes);
/// Bruck et al. 1997: round j moves the c_j blocks whose distance in 1 .. P-1 has bit j, sum over
/// j < ceil(log2 P) of g(c_j m) + L, before and after which they are copied; all P are copied at
/// the start and at the end.
double bruck_s(const PLogP& network, int n, double size_bytes, double copy_s_per_byte);

} // namespace alltoall

// Allgather around a ring, (P-1)(g(m) + L), is bcast::chain_s.

// Barriers: until all have heard that all have started. A signal costs as much as one byte.
namespace barrier {

/// Everyone to rank 0 and back: 2 ((P-1) g(1) + L).
double flat_s(const PLogP& network, int n);

/// Up a binomial tree and down: 2 ceil(log2 P)(g(1) + L) for a power of two; the way up for other P
/// by recursion over subtrees, the way down bcast::binomial_exact_s.
double binomial_s(const PLogP& network, int n);

/// Distances 1, 2, 4, ... (Hensgen, Finkel and Manber 1988): ceil(log2 P)(g(1) + L).
double dissemination_s(const PLogP& network, int n);

/// Pairs at distances 1, 2, 4, ...: log2 P (g(1) + L). With P no power of two two rounds more than
/// floor(log2 P), an upper bound.
double recursive_doubling_s(const PLogP& network, int n);

} // namespace barrier

} // namespace alltold
