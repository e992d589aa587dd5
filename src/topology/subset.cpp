// SPDX-License-Identifier: BSD-3-Clause
// Hosts counted off, cluster by cluster.
#include "topology/subset.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

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

} // namespace alltold
