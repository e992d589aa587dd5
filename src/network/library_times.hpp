// SPDX-License-Identifier: BSD-3-Clause
// Measured times of the MPI library's own collectives, and interpolation between them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate.hpp"
#include "schedule/specification.hpp"
#include "topology/clusters.hpp"

namespace alltold {

class Fitting;

/// A measured time of the library's own collective, m bytes per block: with its own choice of
/// algorithm or with a forced one.
struct LibraryTime {
    Collective collective = Collective::alltoall;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0; ///< m
    Estimate time_s;
    std::string algorithm = "mpi"; ///< or "mpi.pipeline segment=8KiB"
};

/// The time of `algorithm` of the library at m = size_bytes. Between sizes, and between two numbers
/// of ranks in as many clusters with as many ranks on the fullest host, time is a power of either
/// (a straight line between logarithms); the interval is then a tenth wider each way. Empty outside
/// the measured range.
std::optional<Estimate> library_time(std::span<const LibraryTime> measured, Collective collective,
                                     const Clusters& clusters, double size_bytes,
                                     std::string_view algorithm = "mpi");

/// The median and its 95 % interval of every point of a collective of one block size by "mpi"
/// or one of the library's algorithms; with fewer than six repetitions the interval is from the
/// smallest to the largest.
std::vector<LibraryTime> library_times(const Fitting& fitting);

} // namespace alltold
