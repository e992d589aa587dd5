// SPDX-License-Identifier: BSD-3-Clause
// The cluster and the host of every rank, given or found, and the ranks in their order.
#pragma once

#include "runtime/mpi/managed_communicator.hpp"
#include "topology/places.hpp"

namespace alltold::campaign {

/// Ranks ordered by cluster and host.
struct Arrangement {
    mpi::ManagedCommunicator ranks; ///< of all processes, host by host; rank 0 is still rank 0
    Clusters clusters; ///< of ranks on a single host each is a host, unless sizes say more
    std::string how;   ///< "given by --clusters", "found from latency (...)"
    std::vector<std::string> hosts; ///< name of every rank's host, in order; on rank 0 only
};

/// Arranges the ranks of `world` according to rank 0's `request`, or to probes. Hosts are found by
/// their names. Collective. Fails on all ranks, with a text on rank 0 only, as assigned_places
/// does. MPI errors while probing end all processes.
Result<Arrangement> arrange(const mpi::ManagedCommunicator& world, const ClusterRequest& request);

} // namespace alltold::campaign
