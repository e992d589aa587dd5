// SPDX-License-Identifier: BSD-3-Clause
// The network that a program's calls are resolved for, from the profile of rank 0.
#pragma once

#include <memory>

#include <mpi.h>

#include "core/result.hpp"
#include "network/network.hpp"
#include "runtime/mpi/broadcast_text.hpp"

namespace alltold {

/// That of the profile ALLTOLD_PROFILE on every rank of `comm`: its rank 0 reads the file, once per
/// process, and broadcasts it. Null where it is not set. Collective. Fails alike on all ranks,
/// without a code, for a file that cannot be read or is no profile, and as MPI does, with its code.
Result<std::shared_ptr<const Network>> network_of_environment(MPI_Comm comm);

/// The profile ALLTOLD_PROFILE as this process reads it, under its path; none where it is not set.
Result<std::vector<mpi::NamedText>> read_profile_text();

} // namespace alltold
