// SPDX-License-Identifier: BSD-3-Clause
// Fills in the requested matrix.
#pragma once

#include <string>

#include "campaign/compare/compare.hpp"
#include "runtime/mpi/managed_communicator.hpp"

namespace alltold::campaign {

/// Fills in request.matrix from "skewed", "sparse", "random" (made from request.seed) or from a
/// file that needs to be there for rank 0 only; then request.sizes_bytes too where it is empty.
/// Fails, on all ranks with the text on rank 0, for a bad file and for more bytes than an int of
/// MPI counts. Collective over `world`; of a file two broadcasts.
Status read_matrix(const std::string& word, const mpi::ManagedCommunicator& world,
                   ComparisonRequest& request);

} // namespace alltold::campaign
