// SPDX-License-Identifier: BSD-3-Clause
// Persistent calls, which take any number of starts.
#pragma once

#include <memory>
#include <optional>

#include <mpi.h>

#include "preload/kept_arguments.hpp"
#include "preload/observer.hpp"
#include "preload/persistent_channels.hpp"
#include "preload/progress_engine.hpp"

namespace alltold::preload {

/// The log entry of a persistent call's starts.
struct PersistentLog {
    ObservedCall call; ///< for each start
    Choice choice;     ///< call.choice
};

class PersistentCall {
  public:
    PersistentCall(std::shared_ptr<CommunicatorState> state,
                   std::shared_ptr<PersistentChannels> channels,
                   const PersistentChannels::Place& place, std::unique_ptr<KeptArguments> arguments,
                   PersistentLog log);
    ~PersistentCall() { channels_->give_back(place_.number); }
    PersistentCall(const PersistentCall&) = delete;
    PersistentCall& operator=(const PersistentCall&) = delete;

    /// Starts it; complete() is called when this start is complete, at once where it fails.
    void start();

    PersistentChannels& channels() { return *channels_; }
    /// Among all places of its communicator; the same on every rank.
    int number() const { return place_.number; }

    MPI_Request request = MPI_REQUEST_NULL; ///< make_request()'s

  private:
    /// One start.
    class Start : public OpenCall {
      public:
        explicit Start(PersistentCall& call) : call_(call) {}
        Status begin();
        void tell() override;

      private:
        PersistentCall& call_;
    };
    Status begin();

    std::shared_ptr<CommunicatorState> state_; ///< the communicator may be freed before the request
    std::shared_ptr<PersistentChannels> channels_;
    PersistentChannels::Place place_;
    std::unique_ptr<KeptArguments> arguments_;
    PersistentLog log_;
    std::optional<Start> run_;
};

/// Makes the persistent request of `call` on the program's `comm`, which owns it from then on.
/// Fails as MPI does.
Status make_request(std::unique_ptr<PersistentCall> call, MPI_Comm comm, MPI_Request* request);
/// The present start is complete with MPI's `code`.
void complete(PersistentCall& call, int code);

/// Makes the request of a call for which an algorithm of ours is chosen on `state`, which is open.
/// Collective. Fails as MPI does. Fails with `refused`, alike on all ranks, where the call must be
/// left to the library, and with `bad_input` where its arguments make no sense.
Status make_persistent(const std::shared_ptr<CommunicatorState>& state,
                       const std::shared_ptr<PersistentChannels>& channels, MPI_Comm comm,
                       std::unique_ptr<KeptArguments> arguments, PersistentLog log,
                       MPI_Request* request);

} // namespace alltold::preload
