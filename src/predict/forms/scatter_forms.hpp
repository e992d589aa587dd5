// SPDX-License-Identifier: BSD-3-Clause
// Scatter under pLogP (BM04, table 2).
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds in which each of P >= 1 processes has its block of m bytes; 0 with one process.

namespace alltold::scatter {

/// Flat tree: (P-1) g(m) + L.
double flat_s(const PLogP& network, int n, double size_bytes);
/// Chain: sum over j = 1 .. P-1 of g(j m), + (P-1) L.
double chain_s(const PLogP& network, int n, double size_bytes);
/// Binomial tree: sum over j = 0 .. ceil(log2 P) - 1 of g(2^j m), + ceil(log2 P) L. With P no power
/// of two it counts blocks that do not exist.
double binomial_s(const PLogP& network, int n, double size_bytes);
/// The binomial tree, largest subtree first, each message with the blocks there are: our schedule
/// for every P, by recursion over subtrees. The paper's sum where P is a power of two.
double binomial_exact_s(const PLogP& network, int n, double size_bytes);

} // namespace alltold::scatter
