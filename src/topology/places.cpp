// SPDX-License-Identifier: BSD-3-Clause
#include "topology/places.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "topology/host_file.hpp"
#include "topology/rank_order.hpp"

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

namespace {

/// Hosts as they are, in clusters by their numbers.
Places in_order_of_hosts(const Clusters& clusters, std::vector<int> host_of) {
    Places places;
    for (const int host : host_of)
        places.cluster_of.push_back(clusters.cluster_of_host(host));
    places.host_of = std::move(host_of);
    return places;
}

Error no_match(const Clusters& clusters, std::string_view name, std::size_t ranks, int hosts) {
    const bool shared = hosts > 1 && static_cast<std::size_t>(hosts) < ranks;
    const bool counts_hosts = shared && clusters.one_rank_per_host();
    return bad_input(fmt::format("{} {}: {} ranks{} are needed, but {}{} were started", name,
                                 clusters.text(), clusters.ranks(),
                                 counts_hosts ? fmt::format(" or {} hosts", clusters.hosts()) : "",
                                 ranks, shared ? fmt::format(" ranks on {} hosts", hosts) : ""));
}

Result<Assignment> from_sizes(const std::string& text, const std::string& name,
                              std::span<const int> host_of) {
    ALLTOLD_TRY(places, places_given(text, name, host_of));
    return Assignment{std::move(*places), "given by " + name};
}

Result<Assignment> from_host_file(const std::filesystem::path& path,
                                  const std::vector<std::string>& hosts) {
    ALLTOLD_TRY(text, read_text_file(path, "a launcher's host file"));
    ALLTOLD_TRY(file, HostFile::parse(*text, path.string()));
    if (file->silent())
        return Assignment{};
    ALLTOLD_TRY(clusters, file->clusters_of(hosts));
    return Assignment{{std::move(*clusters), hosts_to_measure(numbered_by_appearance(hosts))},
                      "given by host file " + path.string()};
}

/// The hosts below one switch as a cluster. Empty unless there are several, some with several
/// hosts, and every rank was told its switches.
Assignment from_switches(const std::vector<std::string>& switches,
                         const std::vector<std::string>& hosts) {
    if (std::ranges::find(switches, std::string()) != switches.end())
        return {};
    auto cluster_of = numbered_by_appearance(switches);
    auto host_of = numbered_by_appearance(hosts);
    const int last_cluster = std::ranges::max(cluster_of), last_host = std::ranges::max(host_of);
    if (last_cluster == 0 || last_cluster == last_host)
        return {};
    return {{std::move(cluster_of), std::move(host_of)}, "given by Slurm's topology"};
}

} // namespace

Result<Places> places_given(std::string_view text, std::string_view name,
                            std::span<const int> host_of) {
    assert(!host_of.empty());
    ALLTOLD_TRY(clusters, in_context(name, Clusters::parse(text)));
    auto there = numbered_by_appearance(host_of);
    const int hosts = 1 + std::ranges::max(there);
    const bool right_ranks = static_cast<std::size_t>(clusters->ranks()) == there.size();
    const bool without_hosts = clusters->one_rank_per_host();
    if (hosts > 1 && clusters->hosts() == hosts && (without_hosts || right_ranks)) {
        auto places = in_order_of_hosts(*clusters, there);
        if (without_hosts || order_by_host(places.cluster_of, places.host_of).clusters == *clusters)
            return places;
    }
    if (!right_ranks)
        return no_match(*clusters, name, there.size(), hosts);
    Places places;
    for (int rank = 0; rank < clusters->ranks(); ++rank) {
        places.cluster_of.push_back(clusters->cluster_of(rank));
        places.host_of.push_back(clusters->host_of(rank));
    }
    if (without_hosts && hosts > 1)
        places.host_of = std::move(there);
    return places;
}

std::vector<int> hosts_to_measure(std::vector<int> host_of) {
    if (std::ranges::max(host_of) == 0)
        std::iota(host_of.begin(), host_of.end(), 0);
    return host_of;
}

Result<Assignment> assigned_places(const ClusterRequest& request,
                                   const std::vector<std::string>& hosts,
                                   const std::vector<std::string>& switches) {
    for (const auto& [text, name] : {std::pair(request.flag, "--clusters"),
                                     std::pair(request.environment, "ALLTOLD_CLUSTERS")}) {
        if (text == automatic)
            return Assignment{};
        if (!text.empty())
            return from_sizes(text, name, numbered_by_appearance(hosts));
    }
    if (!request.host_file.empty())
        if (auto named = from_host_file(request.host_file, hosts); !named || !named->how.empty())
            return named;
    return from_switches(switches, hosts);
}

bool names_are_hosts(std::span<const std::string> host_of_rank, const Clusters& clusters) {
    const std::set names(host_of_rank.begin(), host_of_rank.end());
    return static_cast<int>(names.size()) == clusters.hosts();
}

} // namespace alltold
