// SPDX-License-Identifier: BSD-3-Clause
// Gather under pLogP: the mirror of scatter (BM04, section 4), and the windowed gather.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds in which the root has the blocks of m bytes of P >= 1 processes; 0 with one process.

namespace alltold::gather {

/// Everyone to the root, which takes one block per g(m): (P-1) g(m) + L.
double flat_s(const PLogP& network, int n, double size_bytes);
/// Blocks pile up along the chain: sum over j = 1 .. P-1 of g(j m), + (P-1) L.
double chain_s(const PLogP& network, int n, double size_bytes);
/// Binomial tree: sum over j = 0 .. ceil(log2 P) - 1 of g(2^j m), + ceil(log2 P) L. With P no power
/// of two it counts blocks that do not exist.
double binomial_s(const PLogP& network, int n, double size_bytes);
/// TW99's algorithm 1 with w senders at a time (0: all) and synchronous sends, which cost
/// 2 g(1) + 2 L (BM04's rendezvous): the root is busy without a break, or the last of
/// B = ceil((P-1)/w) rounds, q = g(m) + 3 g(1) + 3 L apart, ends it:
/// 2 g(1) + 3 L + max((P-1) g(m), (B-1) q + (P-1 - (B-1) w) g(m)).
/// Ours; the paper has equation 8 instead, under its own model (gather_window.hpp).
double windowed_s(const PLogP& network, int n, double size_bytes, int window);

} // namespace alltold::gather
