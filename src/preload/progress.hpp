// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls as requests of the MPI library, which advance whenever the program waits in it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>

#include <mpi.h>

#include "preload/kept_arguments.hpp"
#include "preload/progress_engine.hpp"
#include "preload/shape_trial.hpp"
#include "runtime/call.hpp"
#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// Which calls need no progress of ours once started. One for each communicator, whose rules do not
/// change.
class AtOnce {
  public:
    /// Whether every rank can post all messages of a call of this shape when it starts it, since
    /// none waits for another. The same on every rank: looks at the schedules of all, up to 128
    /// ranks, once per shape. Not for all-to-all-v, of which no rank knows the schedules of the
    /// others. Fails as CommunicatorState::recipe_for.
    Result<bool> possible(CommunicatorState& mine, const Shape& shape);

  private:
    /// Size, root, the Reduction, and Shape::picked.
    using Key = std::tuple<Collective, std::uint64_t, int, std::uint64_t, bool, const Choice*>;
    std::map<Key, bool> known_;
};

/// Starts `call`, for which an algorithm of ours is chosen on `mine`, which is open; `comm` is the
/// program's. `request` is then a request of the MPI library (OpenRequest).
///
/// Open MPI's progress engine advances the call, whatever the program waits for. MPICH has no such
/// hook for others, so there only calls run whose messages can all be posted at once on every rank,
/// and MPICH itself does the rest.
///
/// Fails as MPI does. Fails with `refused`, alike on all ranks and having sent nothing, where the
/// call must be left to the library, and with `bad_input` where its arguments make no sense.
Status start_request(const std::shared_ptr<CommunicatorState>& mine, AtOnce& at_once, Call call,
                     MPI_Comm comm, MPI_Request* request);

/// Nonblocking calls of a communicator whose ranks have not yet agreed on what they run: they start
/// later, in the order of the calls, so that the program's calls wait for nothing. Only with Open
/// MPI's progress engine, in which they start.
class WaitingCalls {
  public:
    /// The decision, or nothing as long as it is not known. The caller holds the Turn.
    using Decide = std::function<std::optional<Decision>()>;

    bool none() const { return calls_.empty(); }
    /// Makes the request of a call on the program's `comm`, which runs ours as decide() says, or
    /// the library's own on `library`. Fails as MPI does.
    Status add(std::shared_ptr<CommunicatorState> state, std::unique_ptr<KeptArguments> arguments,
               Decide decide, MPI_Comm library, MPI_Comm comm, MPI_Request* request);
    /// Waits until all have started. All ranks must come to this, or to the calls.
    void start_all() const;

  private:
    std::deque<const OpenCall*> calls_; ///< each until it has started
};

} // namespace alltold::preload
