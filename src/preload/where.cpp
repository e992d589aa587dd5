// SPDX-License-Identifier: BSD-3-Clause
// Sizes, host file, profile, in that order; hosts by name.
#include "preload/where.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "topology/host_file.hpp"
#include "topology/rank_order.hpp"

namespace alltold::preload {
namespace {

using ClustersOfRanks = Result<std::vector<int>>;

/// The profile's cluster of `host`.
std::optional<int> measured_cluster(const Settings& settings, const std::string& host) {
    const auto known = std::ranges::find_if(
        settings.hosts, [&](const std::string& measured) { return same_host(host, measured); });
    if (known == settings.hosts.end())
        return std::nullopt;
    return settings.cluster_of_host[static_cast<std::size_t>(known - settings.hosts.begin())];
}

/// By rank. Switches are found out only where they matter.
std::vector<KnownHost> known_hosts(const Settings& settings, std::span<const std::string> hosts,
                                   const SwitchesOfRanks& switches_of_ranks) {
    std::vector<KnownHost> known;
    for (const auto& host : hosts)
        known.push_back({host, measured_cluster(settings, host)});
    if (std::ranges::all_of(known, [](const auto& host) { return host.cluster.has_value(); }))
        return known;
    const auto switches = switches_of_ranks();
    for (std::size_t rank = 0; rank < known.size(); ++rank)
        known[rank].switches = switches[rank];
    return known;
}

/// The cluster of every rank's host, by the profile; `taken` gets the hosts that it does not know.
ClustersOfRanks nearest_clusters(const Settings& settings, const std::vector<KnownHost>& known,
                                 std::vector<TakenHost>& taken) {
    std::vector<KnownHost> measured; // first those of the job, which know their switches
    std::map<std::string, int> clusters;
    for (const auto& host : known)
        if (host.cluster && clusters.try_emplace(host.name, *host.cluster).second)
            measured.push_back(host);
    for (std::size_t i = 0; i < settings.hosts.size(); ++i)
        measured.push_back({settings.hosts[i], settings.cluster_of_host[i]});
    std::vector<int> cluster_of;
    for (const auto& host : known) {
        if (!clusters.contains(host.name)) {
            auto nearest = nearest_host(host, measured);
            if (!nearest)
                return bad_input(
                    fmt::format("the profile was not measured on host {}; measure there, "
                                "or set ALLTOLD_CLUSTERS if the hosts are alike",
                                host.name));
            clusters[host.name] = nearest->cluster;
            taken.push_back(std::move(*nearest));
        }
        cluster_of.push_back(clusters[host.name]);
    }
    return cluster_of;
}

/// `from_profile` is called where the profile decides.
Result<Places> decided_places(const Settings& settings, std::span<const std::string> hosts,
                              const std::function<ClustersOfRanks()>& from_profile) {
    Places places{std::vector<int>(hosts.size()), numbered_by_appearance(hosts)};
    if (!settings.cluster_sizes.empty())
        return places_given(settings.cluster_sizes, "ALLTOLD_CLUSTERS", places.host_of);
    auto clusters = Result(places.cluster_of);
    const auto file = HostFile::parse(settings.host_file, settings.host_file_name);
    if (!file)
        return file.error();
    if (!file->silent())
        clusters = file->clusters_of(hosts);
    else if (!settings.hosts.empty())
        clusters = from_profile();
    if (!clusters)
        return clusters.error();
    places.cluster_of = std::move(*clusters);
    if (settings.ranks_are_hosts)
        std::iota(places.host_of.begin(), places.host_of.end(), 0);
    return places;
}

} // namespace

Result<NearestPlaces> places_of_ranks(const Settings& settings, std::span<const std::string> hosts,
                                      const SwitchesOfRanks& switches_of_ranks) {
    std::vector<TakenHost> taken;
    auto places = decided_places(settings, hosts, [&] {
        return nearest_clusters(settings, known_hosts(settings, hosts, switches_of_ranks), taken);
    });
    if (!places)
        return places.error();
    return NearestPlaces{std::move(*places), std::move(taken)};
}

} // namespace alltold::preload
