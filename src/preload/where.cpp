// SPDX-License-Identifier: BSD-3-Clause
// Sizes, host file, profile, in that order; hosts by name.
#include "preload/where.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "topology/host_file.hpp"
#include "topology/rank_order.hpp"

namespace alltold::preload {
namespace {

Result<std::vector<int>> from_profile(const Settings& settings,
                                      std::span<const std::string> hosts) {
    std::vector<int> cluster_of;
    for (const auto& host : hosts) {
        const auto known =
            std::find_if(settings.hosts.begin(), settings.hosts.end(),
                         [&](const std::string& other) { return same_host(host, other); });
        if (known == settings.hosts.end())
            return bad_input(fmt::format("the profile was not measured on host {}; measure there, "
                                         "or set ALLTOLD_CLUSTERS if the hosts are alike",
                                         host));
        cluster_of.push_back(
            settings.cluster_of_host[static_cast<std::size_t>(known - settings.hosts.begin())]);
    }
    return cluster_of;
}

} // namespace

Result<Places> places_of_ranks(const Settings& settings, std::span<const std::string> hosts) {
    Places places{std::vector<int>(hosts.size()), numbered_by_appearance(hosts)};
    if (!settings.cluster_sizes.empty())
        return places_given(settings.cluster_sizes, "ALLTOLD_CLUSTERS", places.host_of);
    auto clusters = Result(places.cluster_of);
    if (!settings.hosts.empty())
        clusters = from_profile(settings, hosts);
    if (!settings.host_file.empty()) {
        const auto file = HostFile::parse(settings.host_file, settings.host_file_name);
        if (!file)
            return file.error();
        if (!file->silent())
            clusters = file->clusters_of(hosts);
    }
    if (!clusters)
        return clusters.error();
    places.cluster_of = std::move(*clusters);
    if (settings.ranks_are_hosts)
        std::iota(places.host_of.begin(), places.host_of.end(), 0);
    return places;
}

} // namespace alltold::preload
