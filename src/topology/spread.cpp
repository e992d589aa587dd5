// SPDX-License-Identifier: BSD-3-Clause
// Ranks dealt out to clusters.
#include "topology/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace alltold {
namespace {

/// Hosts of `each` ranks, on the last ones fewer, n in all: as many hosts as that takes, one at
/// least in every cluster, in proportion to those there are.
Clusters spread_over_hosts(const Clusters& leaders, int each, int n) {
    const auto hosts = spread(leaders, std::max(leaders.count(), (n + each - 1) / each));
    int left = n, hosts_left = hosts.ranks();
    auto ranks = hosts.ranks_of_hosts();
    for (auto& cluster : ranks)
        for (auto& host : cluster) {
            host = std::clamp(left - --hosts_left, 1, each);
            left -= host;
        }
    return Clusters::of_hosts(ranks);
}

} // namespace

Clusters joined(const Clusters& clusters) {
    std::vector<int> all;
    for (const auto& hosts : clusters.ranks_of_hosts())
        all.insert(all.end(), hosts.begin(), hosts.end());
    return Clusters::of_hosts({all});
}

Clusters spread(const Clusters& clusters, int n) {
    if (!clusters.one_rank_per_host())
        return spread_over_hosts(clusters.leaders(), clusters.most_ranks_of_a_host(), n);
    std::vector<int> sizes;
    int left = n, hosts_left = clusters.ranks();
    for (int c = 0; c < clusters.count(); ++c) {
        const int after = clusters.count() - c - 1; // each of them gets one at least
        const auto share = std::lround(static_cast<double>(left) * clusters.size(c) / hosts_left);
        sizes.push_back(std::clamp(static_cast<int>(share), 1, std::max(1, left - after)));
        left -= sizes.back();
        hosts_left -= clusters.size(c);
    }
    return Clusters(std::move(sizes));
}

Clusters spread_evenly(const Clusters& hosts, int n) {
    if (n >= hosts.ranks() || !hosts.one_rank_per_host())
        return spread(hosts, n);
    std::vector<int> sizes(static_cast<std::size_t>(hosts.count()), 1);
    for (int left = n - hosts.count(); left > 0; --left) {
        int least = -1;
        for (int cluster = 0; cluster < hosts.count(); ++cluster) {
            const auto size = sizes[static_cast<std::size_t>(cluster)];
            if (size < hosts.size(cluster) &&
                (least < 0 || size < sizes[static_cast<std::size_t>(least)]))
                least = cluster;
        }
        ++sizes[static_cast<std::size_t>(least)];
    }
    return Clusters(std::move(sizes));
}

Clusters spread_unevenly(const Clusters& hosts, int n) {
    if (n >= hosts.ranks() || !hosts.one_rank_per_host())
        return spread(hosts, n);
    std::vector<int> order(static_cast<std::size_t>(hosts.count()));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](int cluster) { return hosts.size(cluster); });
    std::vector<int> sizes(order.size(), 1);
    int left = n - hosts.count();
    for (const int cluster : order) {
        const int more = std::clamp(left, 0, hosts.size(cluster) - 1);
        sizes[static_cast<std::size_t>(cluster)] += more;
        left -= more;
    }
    return Clusters(std::move(sizes));
}

} // namespace alltold
