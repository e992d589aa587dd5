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

namespace alltold {

/// Two hosts and how far apart they are: a latency or the time of a transfer, in seconds.
/// Disturbances only lengthen a measurement, so the least of several counts.
struct Distance {
    int first = 0;
    int second = 0;
    double time_s = 0;
};

/// Which gap in the distances makes clusters.
struct Separation {
    double ratio = 2;       ///< the gap's upper end over its lower end, at least
    double lone_ratio = 3;  ///< the same for a gap that isolates a single host
    double least_s = 20e-6; ///< the gap's upper end minus its lower end, at least
    int smallest = 1;       ///< hosts in a group, at least: 1 or 2
};

/// Whether groups are the final answer or decide which pairs to probe next. For the latter too many
/// groups are better than too few, and a few noisy distances do not hide a gap.
enum class Stage { search, answer };

/// The group of each of `hosts` hosts, numbered by first appearance. Groups result from single
/// linkage over the known pairs: the shortest spanning tree is cut at the highest gap between
/// successive edges that `rule` accepts, and each group is cut again likewise. A gap needs an edge
/// below it: equally distant hosts are one cluster, however distant. As a final answer a cut must
/// leave at least half of the hosts with a neighbour in their group, so that two close hosts of
/// twelve do not make eleven clusters. Hosts that no chain of known pairs connects are in different
/// groups.
std::vector<int> group_by_distance(int hosts, std::span<const Distance> known,
                                   const Separation& rule, Stage stage);

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
