// SPDX-License-Identifier: BSD-3-Clause
// Groups of consecutive ranks: the clusters of a call or its hosts, and how ranks of two pair up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "topology/clusters.hpp"

namespace alltold {

/// Whether the ranks of a group share a cluster or a host.
enum class Level : std::uint8_t { cluster, host };

/// All clusters, or all hosts of all clusters, in the order of their ranks.
class Groups {
  public:
    /// Keeps a reference to `clusters`.
    Groups(const Clusters& clusters, Level level)
        : clusters_(clusters), hosts_(level == Level::host) {}

    int count() const { return hosts_ ? clusters_.hosts() : clusters_.count(); }
    /// The lowest rank of `group`.
    int first(int group) const {
        return hosts_ ? clusters_.first_of_host(group) : clusters_.first(group);
    }
    int size(int group) const {
        return hosts_ ? clusters_.ranks_of_host(group) : clusters_.size(group);
    }
    int of(int rank) const { return hosts_ ? clusters_.host_of(rank) : clusters_.cluster_of(rank); }

    /// The rank of group `other` that `rank` pairs up with at `distance`, which may be negative; -1
    /// if there is none. Ranks of two groups pair up one to one, and all pairs occur at distances
    /// from 0 to below the size of the larger group.
    int partner(int rank, int other, int distance) const {
        const int mine = of(rank);
        const int most = std::max(size(mine), size(other));
        if (std::abs(distance) >= most)
            return -1;
        const int place = (rank - first(mine) + distance + most) % most;
        return place < size(other) ? first(other) + place : -1;
    }
    /// The distance, at least 0, at which `rank` pairs up with `other`.
    int distance(int rank, int other) const {
        const int mine = of(rank), others = of(other);
        const int most = std::max(size(mine), size(others));
        return (other - first(others) - (rank - first(mine)) + most) % most;
    }

  private:
    const Clusters& clusters_;
    bool hosts_;
};

} // namespace alltold
