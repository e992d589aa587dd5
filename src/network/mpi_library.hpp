// SPDX-License-Identifier: BSD-3-Clause
// The MPI libraries whose algorithms are known.
#pragma once

#include <cstdint>
#include <string_view>

namespace alltold {

/// The MPI libraries whose control variables are known.
enum class MpiLibrary : std::uint8_t { other, open_mpi, mpich };

/// From the text of MPI_Get_library_version.
MpiLibrary library_named(std::string_view version);
/// "Open MPI", "MPICH"; empty for others.
std::string_view name_of(MpiLibrary library);

/// The library, if it is known which of its algorithms a call runs by default (default_algorithm):
/// Open MPI 4.1 and 5.x. Else `other`.
MpiLibrary known_defaults(std::string_view version);

} // namespace alltold
