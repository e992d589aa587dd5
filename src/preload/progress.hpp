// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls as requests of the MPI library, which advance whenever the program waits in it.
#pragma once

#include <memory>

#include <mpi.h>

#include "preload/at_once.hpp"
#include "runtime/call.hpp"
#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// Starts `call`, for which an algorithm of ours is chosen on `mine`, which is open. `request` is
/// then a generalized request of the MPI library: every function for requests takes it.
///
/// Open MPI's progress engine advances the call, whatever the program waits for. MPICH has no such
/// hook for others, so there only calls run whose messages can all be posted at once on every rank,
/// and MPICH itself does the rest.
///
/// Fails as MPI does. Fails with `refused`, alike on all ranks and having sent nothing, where the
/// call must be left to the library, and with `bad_input` where its arguments make no sense.
Status start_request(const std::shared_ptr<CommunicatorState>& mine, AtOnce& at_once, Call call,
                     MPI_Request* request);

#ifdef MPICH_VERSION
/// Advances the call behind a request of start_request's, for a function of MPICH's that looks at
/// requests and polls none; does nothing to other requests.
void poll_request(MPI_Request request);
#endif

} // namespace alltold::preload
