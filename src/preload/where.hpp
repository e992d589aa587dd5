// SPDX-License-Identifier: BSD-3-Clause
// The cluster of every rank of MPI_COMM_WORLD, without probing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "preload/settings.hpp"

namespace alltold::preload {

/// Whether clusters_of_hosts looks at the hosts.
bool needs_hosts(const Settings& settings);

/// By rank; empty: all are in one. From ALLTOLD_CLUSTERS, else the host file, if it names clusters,
/// else the profile. `hosts` has one name a rank, or none without needs_hosts. Local, the same on
/// every rank. Fails, naming it, for a host that the host file or the profile does not know, and
/// for sizes that do not add up to `ranks`.
Result<std::vector<int>> clusters_of_ranks(const Settings& settings, int ranks,
                                           std::span<const std::string> hosts);

} // namespace alltold::preload
