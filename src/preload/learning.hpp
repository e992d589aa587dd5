// SPDX-License-Identifier: BSD-3-Clause
// ALLTOLD_LEARN: a profile measured inside the program's MPI_Init and kept for the next run.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "runtime/mpi/broadcast_text.hpp"

namespace alltold::preload {

/// Whether ALLTOLD_LEARN is set.
bool learns();

/// Hash of ALLTOLD_LEARN and the variables beside it. Local. Fails for a time that is none.
Result<std::uint64_t> learn_request();

/// The profile of these hosts, the same on every rank: that of ALLTOLD_PROFILE if it knows them,
/// else the one kept for them, else one that a study of ALLTOLD_LEARN seconds measures now and
/// keeps. Rank 0 alone looks for files. Collective over MPI_COMM_WORLD, all of whose ranks have the
/// same learn_request(). Fails alike on all ranks.
Result<std::vector<mpi::NamedText>> learned_profile();

} // namespace alltold::preload
