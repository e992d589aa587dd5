// SPDX-License-Identifier: BSD-3-Clause
// Which rank this process is.
#pragma once

#include <vector>

#include <mpi.h>

namespace alltold::preload {

/// This process's rank in MPI_COMM_WORLD, and its size, between MPI_Init and MPI_Finalize.
int world_rank();
int world_size();
/// The rank in MPI_COMM_WORLD of every rank of `comm`; MPI_UNDEFINED for one outside it. Local.
std::vector<int> world_ranks(MPI_Comm comm);

} // namespace alltold::preload
