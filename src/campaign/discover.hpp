// SPDX-License-Identifier: BSD-3-Clause
// Finds out by probing which rank is in which cluster.
#pragma once

#include <string>
#include <vector>

#include "runtime/mpi/communicator.hpp"

namespace alltold::campaign {

/// What was found; the same on all ranks.
struct Discovery {
    std::vector<int> cluster_of; ///< by rank, numbered by appearance
    int pairs = 0;               ///< of hosts, probed
    int rounds = 0;
    double time_s = 0;
    std::string how; ///< "found from latency (...)", with the figures
};

/// Finds the clusters of the ranks of `world` on hosts `host_of` (by rank, any numbers; the same on
/// all ranks). Ranks of one host are in one cluster, unprobed; for each host its lowest rank
/// stands. find_clusters runs on all ranks side by side, first with latencies: the least half round
/// trip of one byte, at least 3, as many as fit into 10 ms, at most 30. Within each cluster found
/// of four hosts or more it runs again with the times of 64 KiB, for clusters that are near each
/// other on the map and joined by a backbone slower than half a host's link; with bytes a single
/// slow host is no cluster, since its own link may be the reason. A backbone that carries several
/// links' rate and adds no latency is not found: to any one pair it looks like the local network.
/// Collective; each round costs its probes and one all-reduce. Ranks that wait sleep.
Result<Discovery> discover(const mpi::Communicator& world, const std::vector<int>& host_of);

} // namespace alltold::campaign
