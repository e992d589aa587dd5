// SPDX-License-Identifier: BSD-3-Clause
// Persistent calls, as persistent requests of the MPI library that take any number of starts.
//
// The program's request is a persistent receive of an empty message from this rank itself.
// MPI_Start starts it and the call; when the call is complete, this rank sends itself the message.
// So every function that waits or tests takes the request, and the library does the rest.
#pragma once

#include <memory>

#include <mpi.h>

#include "preload/kept_arguments.hpp"
#include "preload/observer.hpp"
#include "preload/persistent_channels.hpp"

namespace alltold::preload {

/// The log entry of a persistent call's starts.
struct PersistentLog {
    ObservedCall call; ///< for each start
    Choice choice;     ///< call.choice
};

/// Makes the request of a call for which an algorithm of ours is chosen on `state`, which is open.
/// Collective. Fails as MPI does. Fails with `refused`, alike on all ranks, where the call must be
/// left to the library, and with `bad_input` where its arguments make no sense.
Status make_persistent(const std::shared_ptr<CommunicatorState>& state,
                       const std::shared_ptr<PersistentChannels>& channels, MPI_Comm comm,
                       std::unique_ptr<KeptArguments> arguments, PersistentLog log,
                       MPI_Request* request);

/// Whether make_persistent() made the request.
bool is_ours(MPI_Request request);
/// MPI_Start for such a request.
int start_persistent(MPI_Request* request);
/// MPI_Request_free for such a request.
int free_persistent(MPI_Request* request);

} // namespace alltold::preload
