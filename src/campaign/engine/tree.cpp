// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/tree.hpp"

#include <algorithm>
#include <map>

namespace alltold::campaign {

Tree::Tree(std::span<const int> members, const Clusters& world, int fan_out)
    : members_(members.begin(), members.end()), parent_(members.size(), -1),
      children_(members.size()) {
    assert(!members.empty() && fan_out >= 1);
    // The group of each cluster, led by its first member; the root's cluster comes first.
    std::map<int, std::size_t> group_of;
    std::vector<std::vector<int>> groups;
    for (const int rank : members_) {
        const auto [known, is_new] = group_of.emplace(world.cluster_of(rank), groups.size());
        if (is_new)
            groups.emplace_back();
        groups[known->second].push_back(rank);
    }
    std::vector<int> heads;
    for (const auto& group : groups)
        heads.push_back(group.front());
    hang(heads, fan_out);
    for (const auto& group : groups)
        hang(group, fan_out);
}

void Tree::hang(std::span<const int> group, int fan_out) {
    for (std::size_t i = 1; i < group.size(); ++i) {
        const int above = group[(i - 1) / static_cast<std::size_t>(fan_out)];
        parent_[position(group[i])] = above;
        children_[position(above)].push_back(group[i]);
    }
}

bool Tree::has(int rank) const {
    return std::find(members_.begin(), members_.end(), rank) != members_.end();
}

std::size_t Tree::position(int rank) const {
    const auto found = std::find(members_.begin(), members_.end(), rank);
    assert(found != members_.end());
    return static_cast<std::size_t>(found - members_.begin());
}

int Tree::parent(int rank) const {
    return parent_[position(rank)];
}

const std::vector<int>& Tree::children(int rank) const {
    return children_[position(rank)];
}

} // namespace alltold::campaign
