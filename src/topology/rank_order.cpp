// SPDX-License-Identifier: BSD-3-Clause
// Sorting ranks by cluster.
#include "topology/rank_order.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

namespace alltold {

int RankOrder::place_of(int rank) const {
    const auto found = std::find(ranks.begin(), ranks.end(), rank);
    assert(found != ranks.end());
    return static_cast<int>(found - ranks.begin());
}

bool RankOrder::in_place() const {
    return std::is_sorted(ranks.begin(), ranks.end());
}

RankOrder order_by_cluster(std::span<const int> cluster_of) {
    std::vector<int> ranks(cluster_of.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    const auto cluster = [&](int rank) { return cluster_of[static_cast<std::size_t>(rank)]; };
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](int a, int b) { return cluster(a) < cluster(b); });
    std::vector<int> sizes;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i == 0 || cluster(ranks[i]) != cluster(ranks[i - 1]))
            sizes.push_back(0);
        ++sizes.back();
    }
    return {Clusters(std::move(sizes)), std::move(ranks)};
}

std::vector<int> numbered_by_appearance(std::span<const int> group_of) {
    std::map<int, int> numbers;
    std::vector<int> numbered;
    for (const int group : group_of)
        numbered.push_back(
            numbers.try_emplace(group, static_cast<int>(numbers.size())).first->second);
    return numbered;
}

} // namespace alltold
