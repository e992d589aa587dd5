// SPDX-License-Identifier: BSD-3-Clause
// A nonblocking call under way.
#pragma once

#include <memory>
#include <optional>

#include "runtime/call.hpp"
#include "runtime/communicator_state.hpp"
#include "runtime/size_exchange.hpp"

namespace alltold {

/// Owns what a blocking call borrows. Stays where it was made once started.
class Pending {
  public:
    /// Starts `call`, for which an algorithm of ours is chosen on `mine`. Collective. This and the
    /// others fail as MPI does, and, with nothing more to be sent, where there is no program for
    /// the call.
    Status start(CommunicatorState& mine, Call call);
    /// Moves on without blocking; whether all is complete.
    Result<bool> test();
    /// Blocks until all is complete.
    Status wait();
    /// Unpacks what was received; once, after all is complete.
    Status finish() { return call_.finish(); }

  private:
    /// What is left to do once sizes have been exchanged.
    struct Later {
        SizeExchangeRun size_exchange;
        Recipe recipe;
    };

    Status begin();
    Status begin_program();

    Call call_;
    MPI_Comm channel_ = MPI_COMM_NULL;
    int first_tag_ = 0;
    std::optional<Later> later_;
    std::shared_ptr<const Program> program_; ///< the cache may drop it while we run
    std::unique_ptr<std::byte[]> scratch_;
    Execution execution_;
};

} // namespace alltold
