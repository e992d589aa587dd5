// SPDX-License-Identifier: BSD-3-Clause
// Sizes as text against the hosts that are there.
#include "topology/places.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "topology/host_file.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
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
