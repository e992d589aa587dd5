// SPDX-License-Identifier: BSD-3-Clause
// Sorting ranks by cluster and host.
#include "topology/rank_order.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace alltold {

int RankOrder::place_of(int rank) const {
    const auto found = std::find(ranks.begin(), ranks.end(), rank);
    assert(found != ranks.end());
    return static_cast<int>(found - ranks.begin());
}

bool RankOrder::in_place() const {
    return std::is_sorted(ranks.begin(), ranks.end());
}

RankOrder order_by_host(std::span<const int> cluster_of, std::span<const int> host_of) {
    // A host is known by its cluster and its lowest rank there.
    std::map<std::pair<int, int>, int> lowest;
    std::vector<std::pair<int, int>> place;
    for (std::size_t rank = 0; rank < cluster_of.size(); ++rank) {
        const std::pair host(cluster_of[rank], host_of[rank]);
        const int first = lowest.try_emplace(host, static_cast<int>(rank)).first->second;
        place.emplace_back(cluster_of[rank], first);
    }
    std::vector<int> ranks(cluster_of.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    const auto place_of = [&](int rank) { return place[static_cast<std::size_t>(rank)]; };
    std::ranges::stable_sort(ranks, {}, place_of);
    std::vector<std::vector<int>> clusters;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto here = place_of(ranks[i]);
        if (i == 0 || here.first != place_of(ranks[i - 1]).first)
            clusters.emplace_back().push_back(0);
        else if (here != place_of(ranks[i - 1]))
            clusters.back().push_back(0);
        ++clusters.back().back();
    }
    return {Clusters::of_hosts(clusters), std::move(ranks)};
}

RankOrder order_by_cluster(std::span<const int> cluster_of) {
    std::vector<int> each(cluster_of.size());
    std::iota(each.begin(), each.end(), 0);
    return order_by_host(cluster_of, each);
}

} // namespace alltold
