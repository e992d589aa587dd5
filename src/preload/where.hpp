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

/// Places of ranks, some of whose hosts the profile does not know.
struct NearestPlaces {
    Places places;
    std::vector<TakenHost> taken; ///< the hosts that it does not know, each once
};

/// KnownHost::switches of every rank's host.
using SwitchesOfRanks = std::function<std::vector<std::uint64_t>()>;

/// From ALLTOLD_CLUSTERS (see places_given), else the host file, if it names clusters, else the
/// profile. `hosts` has the name of every rank's host. Where the profile's ranks had several on a
/// host and each counted as a host, each does here. A host that the profile does not know is taken
/// to be in a cluster as nearest_host says; only then `switches_of_ranks` is called, on every rank.
/// Local otherwise, with the same result on every rank. Fails, naming it, for a host that the host
/// file does not know or for which nearest_host finds none, and as places_given does.
Result<NearestPlaces> places_of_ranks(const Settings& settings, std::span<const std::string> hosts,
                                      const SwitchesOfRanks& switches_of_ranks);

} // namespace alltold::preload
