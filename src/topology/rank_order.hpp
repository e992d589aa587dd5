// SPDX-License-Identifier: BSD-3-Clause
// Ranks in any order over hosts and clusters, their order sorted by both, and subsets of hosts.
#pragma once

#include <map>
#include <ranges>

#include "topology/clusters.hpp"

namespace alltold {

/// The first `hosts[c]` hosts of each cluster c, with all of their ranks; clusters beyond `hosts`
/// are left out. Each number is at least 1 and at most what the cluster has.
Clusters first_hosts(const Clusters& all, std::span<const int> hosts);

/// The `count` largest clusters; of equal ones the last ones.
Clusters largest_clusters(const Clusters& all, int count);

/// `share` of the hosts of each cluster, rounded, at least one, with all of their ranks.
Clusters share_of_hosts(const Clusters& all, double share);
/// These shares of the largest cluster and of all: each once, and those with two ranks or more, on
/// two hosts where `all` has so many.
std::vector<Clusters> shares_of_hosts(const Clusters& all, std::span<const double> of_largest,
                                      std::span<const double> of_all);

/// Where `subset` lies in `all`: for each of its clusters, in order, the first one in which there
/// are as many hosts with as many ranks, host by host from the first ones on. Empty if it does not.
std::vector<int> place_of(const Clusters& subset, const Clusters& all);

/// The hosts and ranks of either: in each cluster as many hosts as the larger has, on each host as
/// many ranks.
Clusters united(const Clusters& a, const Clusters& b);

/// The rank that is in `to` what `rank` is in `from`: of the same number on the same host in the
/// same cluster, which must be there, as in united(from, ...).
int moved_rank(int rank, const Clusters& from, const Clusters& to);

/// Clusters of ranks that need not be consecutive.
struct RankOrder {
    Clusters clusters;      ///< of places
    std::vector<int> ranks; ///< ranks[place]; within a host in ascending order

    int place_of(int rank) const;
    /// Whether every rank is at its own place.
    bool in_place() const;
};

/// Puts clusters in ascending order of their numbers, and the hosts of a cluster in the order of
/// their lowest ranks. `cluster_of` and `host_of` hold each rank's cluster and host, any numbers,
/// at least one rank. Where clusters divide a host, its parts are hosts of their own.
RankOrder order_by_host(std::span<const int> cluster_of, std::span<const int> host_of);

/// As above, with every rank on a host of its own.
RankOrder order_by_cluster(std::span<const int> cluster_of);

/// Equal groups (numbers, names) have equal numbers: 0, 1, ... in the order in which they first
/// appear.
template <std::ranges::input_range Range>
std::vector<int> numbered_by_appearance(const Range& group_of) {
    std::map<std::ranges::range_value_t<Range>, int> numbers;
    std::vector<int> numbered;
    for (const auto& group : group_of)
        numbered.push_back(
            numbers.try_emplace(group, static_cast<int>(numbers.size())).first->second);
    return numbered;
}

} // namespace alltold
