// SPDX-License-Identifier: BSD-3-Clause
// The cases in which an algorithm is proved: every rank count, root, cluster pair, and odd sizes.
#pragma once

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// One call to be checked.
struct Case {
    Specification specification;
    Parameters parameters;
    /// "-n 8 -m 13B --root 3 --segment 5"
    std::string text() const;
};

/// A share of the proof of one algorithm, worth some milliseconds; shares are independent.
struct ProofShare {
    const Algorithm* algorithm;
    Collective collective;
    int number; ///< ranks, size of the first cluster, or seed of random all-to-all-v matrices
    bool hosts = false; ///< number is that of the first of some placements on hosts
};

/// The calls to prove.
struct ProofExtent {
    int max_ranks = 33;
    int max_cluster = 24;
    int matrices = 1000; ///< random all-to-all-v matrices per algorithm that takes them
    int max_hosts = 6;   ///< hosts with several ranks, and sampled from 6 on
};

/// The shares of one algorithm's proof. Rooted collectives: every rank count and root; sizes 0, 1,
/// odd and beyond 32 bits; several segment sizes and windows. Algorithms on clusters: every pair of
/// cluster sizes (and triples up to 4 where any number will do; up to 8 where clusters may be
/// given). Algorithms on hosts: up to five hosts with every number of ranks from 1 to 4 each, and
/// some of more hosts, in one and in two clusters; up to four hosts with every size and several
/// roots, on more with one of each. All-to-all-v: random matrices with zeros and gaps, and random
/// clusters where the algorithm takes them. Reductions: elements of one and of four bytes, the
/// latter with an operator that does not commute where the algorithm allows it.
std::vector<ProofShare> proof_of(const Algorithm& algorithm, const ProofExtent& extent);

std::vector<Case> cases_of(const ProofShare& share, const ProofExtent& extent);

/// Builds the schedules of a case and checks them.
std::optional<Fault> prove(const Algorithm& algorithm, const Case& one);

} // namespace alltold
