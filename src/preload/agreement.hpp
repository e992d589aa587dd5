// SPDX-License-Identifier: BSD-3-Clause
// Checks that all ranks of MPI_COMM_WORLD have read the same settings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace alltold::preload {

/// One rank's contribution.
struct Reading {
    std::uint64_t hash = 0; ///< 0: no settings
    std::string error;      ///< empty: it could read all
    bool site = false;      ///< it has site folders
};

/// Whether any rank has site folders, if all ranks read the same; else the error of the lowest rank
/// at fault, with its rank and host, on every rank. Collective over MPI_COMM_WORLD: one allreduce
/// of 32 bytes if they did.
Result<bool> agree(const Reading& mine);

/// Name of every rank's host. Collective over MPI_COMM_WORLD.
std::vector<std::string> hosts_of_ranks();

/// By rank, equal for hosts below the same of Slurm's switches; 0: not told. Collective over
/// MPI_COMM_WORLD.
std::vector<std::uint64_t> switches_of_ranks();

} // namespace alltold::preload
