// SPDX-License-Identifier: BSD-3-Clause
// The network that a program's calls are resolved for, from the profile of rank 0.
#pragma once

#include <memory>
#include <string>

#include <mpi.h>

#include "core/result.hpp"
#include "network/network.hpp"

namespace alltold {

/// The network in a profile's text; null where it holds none.
std::shared_ptr<const Network> network_of_profile(const std::string& text);

/// That of the profile ALLTOLD_PROFILE on every rank of `comm`: its rank 0 reads the file, once per
/// process, and broadcasts it. Null where it is not set or cannot be read. Collective. Fails as
/// MPI does.
Result<std::shared_ptr<const Network>> network_of_environment(MPI_Comm comm);

} // namespace alltold
