// SPDX-License-Identifier: BSD-3-Clause
// The cluster and the host of every rank of MPI_COMM_WORLD, without probing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "preload/nearest_hosts.hpp"
#include "preload/settings.hpp"
#include "topology/places.hpp"

namespace alltold::preload {

/// From ALLTOLD_CLUSTERS (see places_given), else the host file, if it names clusters, else the
/// profile. `hosts` has the name of every rank's host. Where the profile's ranks had several on a
/// host and each counted as a host, each does here. Local, the same on every rank. Fails, naming
/// it, for a host that the host file or the profile does not know, and as places_given does.
Result<Places> places_of_ranks(const Settings& settings, std::span<const std::string> hosts);

/// Places where hosts that the profile does not know are in the cluster of the nearest ones.
struct NearestPlaces {
    Places places;
    std::vector<TakenHost> taken; ///< each host once
};

/// KnownHost::switches of every rank's host.
using SwitchesOfRanks = std::function<std::vector<std::uint64_t>()>;

/// As places_of_ranks, but a host that the profile does not know is taken to be in a cluster as
/// nearest_host says, and the call fails, naming the host, only where that says nothing.
/// `switches_of_ranks` is called where there are such hosts, then on every rank.
Result<NearestPlaces> nearest_places_of_ranks(const Settings& settings,
                                              std::span<const std::string> hosts,
                                              const SwitchesOfRanks& switches_of_ranks);

} // namespace alltold::preload
