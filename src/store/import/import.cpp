// SPDX-License-Identifier: BSD-3-Clause
// The table of formats.
#include "store/import/import.hpp"

#include <array>

#include "store/import/lines.hpp"

namespace alltold {
namespace {

constexpr std::array formats{
    ImportFormat{"osu", "OSU Micro-Benchmarks: latency, alltoall, bcast, scatter, gather",
                 StartMode::barrier, read_osu},
    ImportFormat{"imb", "Intel MPI Benchmarks: PingPong, Alltoall, Bcast, Scatter, Gather",
                 StartMode::loop, read_imb},
    ImportFormat{"repro", "ReproMPI: raw times of MPI_Alltoall, _Bcast, _Scatter, _Gather",
                 StartMode::silence, read_repro}};

} // namespace

std::span<const ImportFormat> import_formats() {
    return formats;
}

} // namespace alltold
