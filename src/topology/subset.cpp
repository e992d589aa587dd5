// SPDX-License-Identifier: BSD-3-Clause
// Hosts counted off, cluster by cluster.
#include "topology/subset.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

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

Clusters first_clusters(const Clusters& all, int count) {
    const auto leaders = all.leaders();
    return first_hosts(all, leaders.sizes().first(static_cast<std::size_t>(count)));
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

bool holds(const Clusters& all, const Clusters& subset) {
    if (subset.count() > all.count())
        return false;
    for (int cluster = 0; cluster < subset.count(); ++cluster) {
        if (subset.hosts(cluster) > all.hosts(cluster))
            return false;
        const int there = all.first_host(cluster), here = subset.first_host(cluster);
        for (int host = 0; host < subset.hosts(cluster); ++host)
            if (subset.ranks_of_host(here + host) > all.ranks_of_host(there + host))
                return false;
    }
    return true;
}

} // namespace alltold
