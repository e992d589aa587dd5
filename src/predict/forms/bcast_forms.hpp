// SPDX-License-Identifier: BSD-3-Clause
// Broadcast under pLogP (BM04, table 1).
#pragma once

#include "network/plogp/plogp.hpp"

// Each function gives the seconds in which P >= 1 processes have a message of m bytes; with one
// process there is nothing to do and all give 0. The text of an equation is as the paper prints it.

namespace alltold::bcast {

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
/// Binary tree, an upper bound: ceil(log2 P)(2 g(m) + L).
double binary_bound_s(const PLogP& network, int n, double size_bytes);
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
/// The same with requests to all children of a node before its first message (see
/// flat_rendezvous_exact_s), for g(m) >= g(1): a recursion over subtrees.
double binomial_rendezvous_exact_s(const PLogP& network, int n, double size_bytes);

/// Segmented binomial tree, an upper bound for every P: ceil(log2 P) g(s) k + floor(log2 P) L, what
/// binomial_exact_s would take with k gaps a message; segments of later rounds overlap earlier
/// ones.
double binomial_segmented_bound_s(const PLogP& network, int n, double size_bytes,
                                  double segment_bytes);

/// Circulant graph (Traeff 2022), a lower bound: a gap for each of the k - 1 + ceil(log2 P) rounds,
/// and one latency.
double circulant_bound_s(const PLogP& network, int n, double size_bytes, double segment_bytes);
/// With q = ceil(log2 P): k - 1 gaps and (q + min(q, k - 1)) (g(s) + L). Exact for one segment to a
/// power of two of ranks; else an approximation. A rank with several segments at hand sends the one
/// that came first, not the one whose round it is, which costs about q rounds more.
double circulant_s(const PLogP& network, int n, double size_bytes, double segment_bytes);

} // namespace alltold::bcast
