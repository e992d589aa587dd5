// SPDX-License-Identifier: BSD-3-Clause
// Calls that the MPI library's own collectives carry out, on our private communicator.
#pragma once

#include "runtime/communicator_state.hpp"

namespace alltold {

/// Bytes of a block of this call, from the side that MPI looks at on this rank; empty for invalid
/// arguments.
std::optional<std::uint64_t> block_bytes(const Caller& caller, const Arguments& arguments);

/// Whether our algorithm may combine as the operator of a reduction needs: in the order of the
/// caller's ranks if it does not commute, and always in a scan.
bool suits_operator(const CommunicatorState& mine, const Algorithm& algorithm,
                    const Arguments& arguments);

/// Whether the library's own collective is chosen for this call, or the algorithm chosen does not
/// suit its operator. False for invalid arguments, which our own path refuses.
bool runs_library(const CommunicatorState& mine, const Arguments& arguments);
/// As runs_library, for a nonblocking or persistent call, during which the caller may free its
/// operator.
bool starts_library(const CommunicatorState& mine, const Arguments& arguments);

/// The library's collective on `comm`, run to its end. Fails as MPI does.
Status run_library(MPI_Comm comm, const Arguments& arguments);

} // namespace alltold
