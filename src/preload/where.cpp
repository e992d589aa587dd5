// SPDX-License-Identifier: BSD-3-Clause
// Sizes, host file, profile, in that order.
#include "preload/where.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "topology/clusters.hpp"
#include "topology/host_file.hpp"

namespace alltold::preload {
namespace {

Result<std::vector<int>> from_sizes(const std::string& text, int ranks) {
    const auto clusters = Clusters::parse(text);
    if (!clusters)
        return bad_input(fmt::format("ALLTOLD_CLUSTERS: {}", clusters.error().message));
    if (clusters->ranks() != ranks)
        return bad_input(fmt::format("ALLTOLD_CLUSTERS {}: {} ranks are needed, but {} were "
                                     "started",
                                     text, clusters->ranks(), ranks));
    std::vector<int> cluster_of;
    for (int rank = 0; rank < ranks; ++rank)
        cluster_of.push_back(clusters->cluster_of(rank));
    return cluster_of;
}

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

bool needs_hosts(const Settings& settings) {
    return settings.cluster_sizes.empty() &&
           (!settings.host_file.empty() || !settings.hosts.empty());
}

Result<std::vector<int>> clusters_of_ranks(const Settings& settings, int ranks,
                                           std::span<const std::string> hosts) {
    if (!settings.cluster_sizes.empty())
        return from_sizes(settings.cluster_sizes, ranks);
    if (!settings.host_file.empty()) {
        const auto file = HostFile::parse(settings.host_file, settings.host_file_name);
        if (!file)
            return file.error();
        if (!file->silent())
            return file->clusters_of(hosts);
    }
    return settings.hosts.empty() ? std::vector<int>() : from_profile(settings, hosts);
}

} // namespace alltold::preload
