// SPDX-License-Identifier: BSD-3-Clause
// Ranks in any order over hosts and clusters, and their order sorted by cluster and host.
#pragma once

#include <map>
#include <ranges>
#include <span>
#include <vector>

#include "topology/clusters.hpp"

namespace alltold {

/// Clusters of ranks that need not be consecutive.
struct RankOrder {
    Clusters clusters;      ///< of places
    std::vector<int> ranks; ///< ranks[place]; within a host in ascending order

    /// The place of `rank`.
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
