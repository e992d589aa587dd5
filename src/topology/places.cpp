// SPDX-License-Identifier: BSD-3-Clause
// Sizes as text against the hosts that are there.
#include "topology/places.hpp"

#include <algorithm>
#include <cassert>
#include <set>

#include <fmt/format.h>

#include "topology/rank_order.hpp"

namespace alltold {
namespace {

/// Hosts as they are, in clusters by their numbers.
Places in_order_of_hosts(const Clusters& clusters, std::vector<int> host_of) {
    Places places;
    for (const int host : host_of)
        places.cluster_of.push_back(clusters.cluster_of(clusters.first_of_host(host)));
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

bool names_are_hosts(std::span<const std::string> host_of_rank, const Clusters& clusters) {
    const std::set names(host_of_rank.begin(), host_of_rank.end());
    return static_cast<int>(names.size()) == clusters.hosts();
}

} // namespace alltold
