// SPDX-License-Identifier: BSD-3-Clause
// Which of the MPI library's own algorithms to force, by what a campaign timed of them.
#pragma once

#include <span>
#include <string>

#include "network/mpi_library.hpp"
#include "network/samples.hpp"

namespace alltold {

/// The line that makes programs use an algorithm of Open MPI's for all calls of a collective, of
/// each collective where one gains at some call in `measured` beyond what repetitions scatter and
/// loses at none (setting_gain), then what it gains most. Counts calls that were timed
/// three times each by the library's own choice and by the algorithm without parameters. Empty
/// where none gains, and for other libraries.
std::string forced_advice(std::span<const PointSamples> measured, MpiLibrary library);

/// "alltold settings alltoall -m 64KiB -- mpirun -n 12", which finds out.
std::string settings_command(const std::string& command, const Point& call);

} // namespace alltold
