// SPDX-License-Identifier: BSD-3-Clause
// The command to type next, as a user types it, and the MPI library's algorithms to force.
#pragma once

#include "network/mpi_library.hpp"
#include "network/samples.hpp"

namespace alltold {

/// "-n 12", or on several clusters or ranks per host "--clusters 6+6".
std::string ranks_option(const Clusters& clusters);

/// " -m 64KiB"; nothing for a barrier, which takes none.
std::string size_option(Collective collective, std::uint64_t size_bytes);

/// "./alltold rank profile.json bcast -n 12 -m 256KiB --why". `command` is alltold as the user
/// called it.
std::string rank_command(const std::string& command, const std::string& profile,
                         Collective collective, const Clusters& clusters, std::uint64_t size_bytes);

/// The line that makes programs use an algorithm of Open MPI's for all calls of a collective, of
/// each collective where one gains at some call in `measured` beyond what repetitions scatter and
/// loses at none (setting_gain), then what it gains most. Counts calls that were timed
/// three times each by the library's own choice and by the algorithm without parameters. Empty
/// where none gains, and for other libraries.
std::string forced_advice(std::span<const PointSamples> measured, MpiLibrary library);

/// "alltold settings alltoall -m 64KiB -- mpirun -n 12", which finds out.
std::string settings_command(const std::string& command, const Point& call);

} // namespace alltold
