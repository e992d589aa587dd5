// SPDX-License-Identifier: BSD-3-Clause
// Which rank is in which cluster, told or found, and the ranks in that order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/mpi/communicator.hpp"
#include "topology/clusters.hpp"

namespace alltold::campaign {

/// The word for: find the clusters by probing.
inline constexpr const char* automatic = "auto";

/// What the user says of clusters. The first that is not empty counts; nothing stands for "auto".
struct ClusterRequest {
    std::string flag;                ///< --clusters: "6+6", ranks in order, or "auto"
    std::string environment;         ///< ALLTOLD_CLUSTERS, the same
    std::filesystem::path host_file; ///< with keywords as HostFile reads them; rank 0's
};

/// Ranks whose clusters are known and come one after the other.
struct Arrangement {
    mpi::Communicator ranks; ///< of all processes, cluster by cluster; rank 0 is still rank 0
    Clusters clusters;
    std::string how;                ///< "given by --clusters", "found from latency (...)"
    std::vector<std::string> hosts; ///< name of every rank's host, in order; on rank 0 only
};

/// Arranges the ranks of `world` as rank 0's `request` says, or as discover finds. A host file
/// without keywords is passed over. Collective. Fails on all ranks, with a text on rank 0 only, for
/// sizes that cannot be read or are not those of `world`, and for a host file that HostFile
/// refuses; errors of MPI while probing end all processes.
Result<Arrangement> arrange(const mpi::Communicator& world, const ClusterRequest& request);

} // namespace alltold::campaign
