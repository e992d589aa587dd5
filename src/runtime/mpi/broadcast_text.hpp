// SPDX-License-Identifier: BSD-3-Clause
// Text of rank 0 on every rank of a communicator of the caller's.
#pragma once

#include <string>

#include <mpi.h>

#include "core/result.hpp"

namespace alltold::mpi {

/// Overwrites `text` with that of rank 0. Collective: a broadcast of the length and one of the
/// text. Fails as MPI does.
Status broadcast_text(std::string& text, MPI_Comm comm);

} // namespace alltold::mpi
