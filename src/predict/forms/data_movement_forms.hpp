// SPDX-License-Identifier: BSD-3-Clause
// Collectives that move data, and barriers, under pLogP.
#pragma once

#include "predict/forms/closed_forms.hpp"

// Seconds for P >= 1 processes and m bytes per message or block; 0 with one process.

namespace alltold {

// Broadcast (BM04, table 1); the text of an equation is as the paper prints it.
namespace bcast {

/// Flat tree: (P-1) g(m) + L.
Form flat_s;
/// Flat tree, rendezvous: (P-1) g(m) + 2 g(1) + 3 L.
Form flat_rendezvous_s;
/// Segmented flat tree: (P-1)(g(s) k) + L, with segments equal but for a byte.
Form flat_segmented_s;
/// Chain: (P-1)(g(m) + L).
Form chain_s;
/// Chain, rendezvous: (P-1)(g(m) + 2 g(1) + 3 L).
Form chain_rendezvous_s;
/// Segmented chain, the pipeline: (P-1)(g(s) + L) + g(s)(k-1).
Form chain_segmented_s;
/// Binomial tree: floor(log2 P) g(m) + ceil(log2 P) L. With P no power of two a tree that serves
/// its largest subtree first takes ceil(log2 P) g(m) + floor(log2 P) L (binomial_exact_s).
Form binomial_s;
/// Binomial tree, rendezvous: floor(log2 P) g(m) + ceil(log2 P)(2 g(1) + 3 L).
Form binomial_rendezvous_s;
/// Segmented binomial tree: floor(log2 P) g(s) k + ceil(log2 P) L; it counts no pipelining between
/// rounds.
Form binomial_segmented_s;

// Forms missing from the paper's table, derived for our schedules under the paper's model.

/// Requests to all children leave before the first message does:
/// max((P-1) g(1), 2 g(1) + 2 L) + (P-1) g(m) + L, for g(m) >= g(1). The paper's formula wherever
/// (P-3) g(1) <= 2 L.
Form flat_rendezvous_exact_s;
/// The heap-shaped binary tree, left child first: with D = floor(log2 P) and c = P - 2^D + 1 places
/// in the last row, max((D-1)(2 g(m) + L), D (g(m) + L) + floor(log2 c) g(m)).
Form binary_exact_s;
/// Largest subtree first: ceil(log2 P) g(m) + floor(log2 P) L. The last child served costs the most
/// gaps, and no place below P has more than floor(log2 P) hops that are all late ones.
Form binomial_exact_s;
/// A binomial tree with requests to all children of a node before its first message (see
/// flat_rendezvous_exact_s), for g(m) >= g(1): a recursion over subtrees.
Form binomial_rendezvous_exact_s;

/// Segmented binomial tree, an upper bound for every P: ceil(log2 P) g(s) k + floor(log2 P) L, what
/// binomial_exact_s would take with k gaps a message; segments of later rounds overlap earlier
/// ones.
Form binomial_segmented_bound_s;

/// Circulant graph (Traeff 2022) with q = ceil(log2 P): k - 1 gaps and (q + min(q, k - 1)) (g(s) +
/// L). Exact for one segment to a power of two of ranks; else an approximation. A rank with several
/// segments at hand sends the one that came first, not the one whose round it is, which costs about
/// q rounds more.
Form circulant_s;

} // namespace bcast

// Scatter (BM04, table 2): until each process has its block.
namespace scatter {

using bcast::flat_s;
/// Chain: sum over j = 1 .. P-1 of g(j m), + (P-1) L.
Form chain_s;
/// Binomial tree: sum over j = 0 .. ceil(log2 P) - 1 of g(2^j m), + ceil(log2 P) L. With P no power
/// of two it counts blocks that do not exist.
Form binomial_s;
/// The binomial tree, largest subtree first, each message with the blocks there are: our schedule
/// for every P, by recursion over subtrees. The paper's sum where P is a power of two.
Form binomial_exact_s;

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
Form windowed_s;

} // namespace gather

// Exchanges, without contention and with processors that cost nothing. BM04's table 3 has bounds
// for them (alltoall_bounds.hpp).
namespace alltoall {

/// Everyone serves ranks 0, 1, 2, ...: the last rank is served last by all at once,
/// (2P-3) g(m) + L.
Form direct_s;
/// Rotated order, whatever the window: no two send to the same rank, (P-1) g(m) + L.
Form rotated_s;
/// Each round ends before the next begins: (P-1)(g(m) + L).
Form pairwise_s;
/// Bruck et al. 1997: round j moves the c_j blocks whose distance in 1 .. P-1 has bit j, sum over
/// j < ceil(log2 P) of g(c_j m) + L, before and after which they are copied; all P are copied at
/// the start and at the end.
Form bruck_s;

} // namespace alltoall

// Allgather around a ring, (P-1)(g(m) + L), is bcast::chain_s.

// Barriers: until all have heard that all have started. A signal costs as much as one byte.
namespace barrier {

/// Everyone to rank 0 and back: 2 ((P-1) g(1) + L).
Form flat_s;

/// Up a binomial tree and down: 2 ceil(log2 P)(g(1) + L) for a power of two; the way up for other P
/// by recursion over subtrees, the way down bcast::binomial_exact_s.
Form binomial_s;

/// Distances 1, 2, 4, ... (Hensgen, Finkel and Manber 1988): ceil(log2 P)(g(1) + L).
Form dissemination_s;

/// Pairs at distances 1, 2, 4, ...: log2 P (g(1) + L). With P no power of two two rounds more than
/// floor(log2 P), an upper bound.
Form recursive_doubling_s;

} // namespace barrier

} // namespace alltold
