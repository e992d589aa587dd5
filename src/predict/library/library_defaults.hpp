// SPDX-License-Identifier: BSD-3-Clause
// Which of its algorithms an MPI library runs unless told otherwise.
#pragma once

#include "network/mpi_library.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// The name (LibraryAlgorithm::name) of what the library runs by default on so many ranks with m =
/// size_bytes and, in reductions, an operator that commutes. Open MPI's are the switch points of
/// its component `tuned` in 4.1 and 5.0, which are alike. Empty where they are not known: for other
/// libraries (known_defaults) and for all-to-all-v.
std::optional<std::string_view> default_algorithm(MpiLibrary library, Collective collective,
                                                  int ranks, std::uint64_t size_bytes);

} // namespace alltold
