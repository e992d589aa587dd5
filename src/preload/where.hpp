// SPDX-License-Identifier: BSD-3-Clause
// The cluster and the host of every rank of MPI_COMM_WORLD, without probing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "preload/settings.hpp"
#include "topology/places.hpp"

namespace alltold::preload {

/// From ALLTOLD_CLUSTERS (see places_given), else the host file, if it names clusters, else the
/// profile. `hosts` has the name of every rank's host. Where the profile's ranks had several on a
/// host and each counted as a host, each does here. Local, the same on every rank. Fails, naming
/// it, for a host that the host file or the profile does not know, and as places_given does.
Result<Places> places_of_ranks(const Settings& settings, std::span<const std::string> hosts);

} // namespace alltold::preload
