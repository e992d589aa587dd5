// SPDX-License-Identifier: BSD-3-Clause
// Persistent calls, as persistent requests of the MPI library that take any number of starts.
//
// The program's request is a persistent receive of an empty message from this rank itself.
// MPI_Start starts it and the call; when the call is complete, this rank sends itself the message.
// So every function that waits or tests takes the request, and the library does the rest.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include <mpi.h>

#include "preload/observer.hpp"
#include "preload/persistent_channels.hpp"
#include "runtime/call.hpp"

namespace alltold::preload {

/// The program's arguments, whose types and counts it may free. Its buffers are not copied.
class KeptArguments {
  public:
    /// `picked`: Shape::picked.
    explicit KeptArguments(const Choice* picked) : picked_(picked) {}
    /// To be called once, with the arguments of Call::of. Keeps those that are significant on this
    /// rank. Fails as MPI does, and for arguments that Call would refuse.
    Status keep(const Caller& caller, const Arguments& arguments);
    Status keep(const Caller& caller, const VectorSide& send, const VectorSide& receive);
    /// As Call::of and Call::alltoallv.
    Result<Call> call(const Caller& caller) const;

  private:
    struct OwnedSide {
        const void* buffer = nullptr;
        std::vector<MPI_Count> counts, displacements;
        MPI_Datatype type = MPI_DATATYPE_NULL;

        VectorSide side() const { return {buffer, counts.data(), displacements.data(), type}; }
    };
    struct Vectors {
        OwnedSide send, receive;
    };
    /// Replaces the type by a copy.
    Status hold(MPI_Datatype& type);
    Result<OwnedSide> owned(const Caller& caller, const VectorSide& side);

    const Choice* picked_;
    std::variant<Arguments, Vectors> arguments_;
    std::vector<std::shared_ptr<void>> types_; ///< copies
};

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
