// SPDX-License-Identifier: BSD-3-Clause
#include "topology/rank_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace alltold {

Clusters first_hosts(const Clusters& all, std::span<const int> hosts) {
    assert(!hosts.empty() && std::ssize(hosts) <= all.count());
    auto ranks = all.ranks_of_hosts();
    ranks.resize(hosts.size());
    for (std::size_t c = 0; c < hosts.size(); ++c) {
        assert(hosts[c] >= 1 && hosts[c] <= std::ssize(ranks[c]));
        ranks[c].resize(static_cast<std::size_t>(hosts[c]));
    }
    return Clusters::of_hosts(ranks);
}

Clusters largest_clusters(const Clusters& all, int count) {
    std::vector<int> kept(static_cast<std::size_t>(all.count()));
    std::iota(kept.begin(), kept.end(), 0);
    std::ranges::sort(kept, std::ranges::greater(),
                      [&](int cluster) { return std::pair(all.size(cluster), cluster); });
    kept.resize(std::min(kept.size(), static_cast<std::size_t>(count)));
    std::ranges::sort(kept);
    const auto hosts = all.ranks_of_hosts();
    std::vector<std::vector<int>> of_kept;
    for (const int cluster : kept)
        of_kept.push_back(hosts[static_cast<std::size_t>(cluster)]);
    return Clusters::of_hosts(of_kept);
}

Clusters share_of_hosts(const Clusters& all, double share) {
    std::vector<int> hosts;
    for (int cluster = 0; cluster < all.count(); ++cluster)
        hosts.push_back(std::max(1, static_cast<int>(std::lround(share * all.hosts(cluster)))));
    return first_hosts(all, hosts);
}

std::vector<Clusters> shares_of_hosts(const Clusters& all, std::span<const double> of_largest,
                                      std::span<const double> of_all) {
    std::vector<Clusters> subsets;
    const auto add = [&](const Clusters& of, double share) {
        auto subset = share_of_hosts(of, share);
        if (subset.hosts() >= std::min(2, all.hosts()) && subset.ranks() >= 2 &&
            std::ranges::find(subsets, subset) == subsets.end())
            subsets.push_back(std::move(subset));
    };
    for (const double share : of_largest)
        add(largest_clusters(all, 1), share);
    for (const double share : of_all)
        add(all, share);
    return subsets;
}

std::vector<int> place_of(const Clusters& subset, const Clusters& all) {
    const auto holds = [&](int there, int cluster) {
        if (subset.hosts(cluster) > all.hosts(there))
            return false;
        for (int host = 0; host < subset.hosts(cluster); ++host)
            if (subset.ranks_of_host(subset.first_host(cluster) + host) >
                all.ranks_of_host(all.first_host(there) + host))
                return false;
        return true;
    };
    std::vector<int> place;
    for (int there = 0; there < all.count() && std::ssize(place) < subset.count(); ++there)
        if (holds(there, static_cast<int>(place.size())))
            place.push_back(there);
    return std::ssize(place) == subset.count() ? place : std::vector<int>();
}

Clusters united(const Clusters& a, const Clusters& b) {
    auto all = a.ranks_of_hosts();
    const auto others = b.ranks_of_hosts();
    all.resize(std::max(all.size(), others.size()));
    for (std::size_t c = 0; c < others.size(); ++c) {
        all[c].resize(std::max(all[c].size(), others[c].size()));
        for (std::size_t host = 0; host < others[c].size(); ++host)
            all[c][host] = std::max(all[c][host], others[c][host]);
    }
    return Clusters::of_hosts(all);
}

int moved_rank(int rank, const Clusters& from, const Clusters& to) {
    const int cluster = from.cluster_of(rank), host = from.host_of(rank);
    const int there = to.first_host(cluster) + host - from.first_host(cluster);
    return to.first_of_host(there) + rank - from.first_of_host(host);
}

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
