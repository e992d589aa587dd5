// SPDX-License-Identifier: BSD-3-Clause
// Finds clusters by probing pairs of hosts, a few for each host.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "topology/distances.hpp"

namespace alltold {

struct HostPair {
    int first = 0;
    int second = 0;
};

/// Probes pairs, all at once and no host in two of them, and returns the distance of each in
/// seconds: the least of several tries, above zero.
using Probe = std::function<Result<std::vector<double>>(std::span<const HostPair>)>;

/// What was found, and what it took.
struct Grouping {
    std::vector<int> cluster_of; ///< by host, numbered by appearance
    int pairs = 0;               ///< probed, those probed twice counted twice
    int rounds = 0;              ///< calls of the probe
    double near_s = 0;           ///< median distance of the pairs probed within clusters
    double far_s = 0;            ///< and between; 0 where none was

    int clusters() const;
};

struct SearchOptions {
    Separation rule;
    int first_rounds = 8; ///< of pairs drawn without regard to what was found; 9 hosts: all pairs
    std::uint64_t seed = 1;
};

/// No search probes more pairs than this for each host, and a last check of each two clusters.
inline constexpr int most_pairs_a_host = 32;

/// Finds the clusters of `hosts` hosts, at least 1. First every host meets `first_rounds` others,
/// in rounds of disjoint pairs. Then any two groups that group_by_distance makes of what is known
/// are probed at two pairs of their hosts, small groups against large ones first, many in one
/// round, until no pair of groups is left. Last each two groups are probed once more while little
/// else goes on. With k clusters of n hosts these are about n * (first_rounds / 2 + k) pairs in
/// at most 12 + 6 k rounds, and no more than n * most_pairs_a_host + k (k - 1) / 2 pairs: at 1,000
/// hosts in four clusters 1 % of all pairs. Where the limit ends the search, some hosts of more
/// than some 20 clusters may be left alone. The same for the same distances, so that all ranks of
/// a parallel program may run it side by side. Fails when the probe does.
Result<Grouping> find_clusters(int hosts, const Probe& probe, const SearchOptions& options = {});

} // namespace alltold
