// SPDX-License-Identifier: BSD-3-Clause
// Ranks in any order over clusters, and their order sorted by cluster.
#pragma once

#include <span>
#include <vector>

#include "topology/clusters.hpp"

namespace alltold {

/// Clusters of ranks that need not be consecutive.
struct RankOrder {
    Clusters clusters;      ///< of places
    std::vector<int> ranks; ///< ranks[place]; within a cluster in ascending order

    /// The place of `rank`.
    int place_of(int rank) const;
    /// Whether every rank is at its own place.
    bool in_place() const;
};

/// Puts clusters in ascending order of their numbers. `cluster_of` holds each rank's cluster, any
/// numbers, at least one rank.
RankOrder order_by_cluster(std::span<const int> cluster_of);

/// Renumbers groups 0, 1, ... in the order in which they first appear.
std::vector<int> numbered_by_appearance(std::span<const int> group_of);

} // namespace alltold
