// SPDX-License-Identifier: BSD-3-Clause
// Which ranks of a communicator share a host.
#pragma once

#include <vector>

#include <mpi.h>

#include "core/result.hpp"

namespace alltold::mpi {

/// By rank, the same number on ranks whose host has the same name. MPI_COMM_TYPE_SHARED may divide
/// a host, or join hosts that only look like one to the library. Collective; one allgather of 8
/// bytes. Fails as MPI does.
Result<std::vector<int>> hosts_of(MPI_Comm comm);

} // namespace alltold::mpi
