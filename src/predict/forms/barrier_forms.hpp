// SPDX-License-Identifier: BSD-3-Clause
// Barriers under pLogP.
#pragma once

#include "network/plogp/plogp.hpp"

// Seconds until all of P >= 1 processes know that all have started; 0 with one process. A signal
// costs as much as a message of one byte.

namespace alltold::barrier {

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

} // namespace alltold::barrier
