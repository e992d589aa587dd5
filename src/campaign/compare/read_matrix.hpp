// SPDX-License-Identifier: BSD-3-Clause
// Gives a contest the matrix that was asked for.
#pragma once

#include <string>

#include "campaign/compare/contest.hpp"
#include "runtime/mpi/communicator.hpp"

namespace alltold::compare {

/// Fills in contest.matrix from "skewed", "sparse", "random" (made from contest.seed) or from a
/// file that needs to be there for rank 0 only; then contest.sizes_bytes too where it is empty.
/// Fails, on all ranks with the text on rank 0, for a bad file and for more bytes than an int of
/// MPI counts. Collective over `world`; of a file two broadcasts.
Status read_matrix(const std::string& word, const mpi::Communicator& world, Contest& contest);

} // namespace alltold::compare
