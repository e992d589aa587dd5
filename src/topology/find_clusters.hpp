// SPDX-License-Identifier: BSD-3-Clause
// Finds clusters by probing a few pairs of hosts per host, in rounds of disjoint pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "topology/distances.hpp"

namespace alltold {

/// Two different hosts, ranks or groups.
struct HostPair {
    int first = 0;
    int second = 0;
};

/// Disjoint pairs, which may meet at the same time.
using Round = std::vector<HostPair>;

/// A round-robin tournament by the circle method: each two of `players` meet in exactly one round.
/// There is one round fewer than players if their number is even, else as many as players; at most
/// the first `most_rounds` are returned.
std::vector<Round> tournament(std::span<const int> players,
                              std::size_t most_rounds = std::numeric_limits<std::size_t>::max());

/// Probes disjoint pairs, all at once, and returns the distance of each in
/// seconds: the least of several tries, above zero.
using Probe = std::function<Result<std::vector<double>>(std::span<const HostPair>)>;

/// The clusters found, and the cost of finding them.
struct Grouping {
    std::vector<int> cluster_of; ///< by host, numbered by appearance
    int pairs = 0;               ///< number of probes
    int rounds = 0;              ///< calls of the probe
    double intra_cluster_s = 0;  ///< median distance of the pairs probed within clusters
    double inter_cluster_s = 0;  ///< and between; 0 where none was

    int clusters() const;
};

struct SearchOptions {
    Separation rule;
    int first_rounds = 8; ///< of random pairs; with 9 hosts: all pairs
    std::uint64_t seed = 1;
};

/// Limit of probes per host, not counting the final check of each pair of clusters.
inline constexpr int most_pairs_a_host = 32;

/// Finds the clusters of `hosts` hosts, at least 1. First every host is probed against
/// `first_rounds` others, in rounds of disjoint pairs. Then any two groups that group_by_distance
/// forms are probed at two pairs of their hosts, small groups against large ones first, many pairs
/// per round, until no pair of groups is left. Finally each pair of groups is probed once more with
/// little other traffic.
///
/// With k clusters of n hosts this takes about n * (first_rounds / 2 + k) pairs in at most 12 + 6 k
/// rounds, and at most n * most_pairs_a_host + k (k - 1) / 2 pairs: at 1,000 hosts in four clusters
/// 1 % of all pairs. If the limit ends the search, some hosts of more than about 20 clusters may
/// remain alone. The result depends on the distances only, so all ranks of a parallel program may
/// run it independently. Fails when the probe does.
Result<Grouping> find_clusters(int hosts, const Probe& probe, const SearchOptions& options = {});

} // namespace alltold
