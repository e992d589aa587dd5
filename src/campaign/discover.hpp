// SPDX-License-Identifier: BSD-3-Clause
// Finds the clusters of the ranks by probing.
#pragma once

#include <string>
#include <vector>

#include "runtime/mpi/managed_communicator.hpp"

namespace alltold::campaign {

/// The clusters found; the same on all ranks.
struct Discovery {
    std::vector<int> cluster_of; ///< by rank, numbered by appearance
    int pairs = 0;               ///< of hosts, probed
    int rounds = 0;
    double time_s = 0;
    std::string how; ///< "found from latency (...)", with the figures
};

/// Finds the clusters of the ranks of `world` on hosts `host_of` (by rank, any numbers; the same on
/// all ranks). Ranks of one host are in one cluster and not probed; the lowest rank of each host
/// represents it. All ranks run find_clusters in parallel, first on latencies: the least half round
/// trip of one byte, at least 3, as many as fit into 10 ms, at most 30. Within each cluster of four
/// hosts or more it runs again on the times of 64 KiB, to find clusters that are close to each
/// other but joined by a backbone slower than half a host's link. In this step a single slow host
/// is no cluster, since its own link may be the reason. A backbone with several times a link's rate
/// and no added latency is not found: to a single pair it looks like the local network. Collective;
/// each round costs its probes and one all-reduce. Waiting ranks sleep.
Result<Discovery> discover(const mpi::ManagedCommunicator& world, const std::vector<int>& host_of);

} // namespace alltold::campaign
