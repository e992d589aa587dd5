// SPDX-License-Identifier: BSD-3-Clause
// The tree control messages travel along: wide, so that few hops, and across clusters only once.
#pragma once

#include <span>
#include <vector>

#include "topology/clusters.hpp"

namespace alltold::campaign {

/// A tree over the members of a group of ranks. The first member is the root; the first member in
/// each other cluster hangs, through a tree of such heads, below it; the others of a cluster hang
/// below their head. No member has more than 2 * `fan_out` children.
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
