// SPDX-License-Identifier: BSD-3-Clause
// The tree of control messages: a large fan-out for few hops, and one crossing per cluster.
#pragma once

#include "topology/clusters.hpp"

namespace alltold::campaign {

/// A tree over the members of a group of ranks. The first member is the root. The first members of
/// the other clusters, the cluster heads, form a tree below it; the other members of a cluster are
/// below its head. No member has more than 2 * `fan_out` children.
class Tree {
  public:
    /// `members` are ranks of `world`, without repetition, in the order of the group, at least one.
    Tree(std::span<const int> members, const Clusters& world, int fan_out = 16);

    int root() const { return members_.front(); }
    std::span<const int> members() const { return members_; }
    bool has(int rank) const;
    /// -1 for the root. `rank` must be a member.
    int parent(int rank) const;
    const std::vector<int>& children(int rank) const;

  private:
    std::size_t position(int rank) const;
    void hang(std::span<const int> group, int fan_out);

    std::vector<int> members_;
    std::vector<int> parent_;                ///< by position
    std::vector<std::vector<int>> children_; ///< by position
};

} // namespace alltold::campaign
