// SPDX-License-Identifier: BSD-3-Clause
// Whether all ranks of MPI_COMM_WORLD have read the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace alltold::preload {

/// What one rank brings.
struct Reading {
    std::uint64_t hash = 0; ///< 0: nothing was asked for
    std::string error;      ///< empty: it could read all
};

/// Whether all read alike. Else the error of the lowest rank that is at fault, naming rank and
/// host; the same on every rank. Collective over MPI_COMM_WORLD: one all-reduce of 24 bytes where
/// all is well.
Status agree(const Reading& mine);

/// Name of every rank's host. Collective over MPI_COMM_WORLD.
std::vector<std::string> hosts_of_ranks();

} // namespace alltold::preload
