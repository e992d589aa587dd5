// SPDX-License-Identifier: BSD-3-Clause
// A nonblocking call in progress.
#pragma once

#include "runtime/communicator_state.hpp"

namespace alltold {

/// Owns what a blocking call borrows, so the caller may free its communicator, types and counts
/// meanwhile. Must not be moved once started, nor destroyed before it is complete.
class Pending {
  public:
    /// Starts `call`, for which an algorithm of ours is chosen on `mine`. Collective. This and the
    /// others fail as MPI does, and, with nothing more to be sent, where there is no program for
    /// the call. `at_once`: on every rank no message waits for another, so that it may share tags
    /// with open calls of that kind; all calls on the communicator must then be of it.
    Status start(CommunicatorState& mine, Call call, bool at_once = false);
    /// As start(), with tags from `first_tag` on `channel`, a copy of the channel of `mine`, which
    /// no other open call has.
    Status start_on(MPI_Comm channel, int first_tag, CommunicatorState& mine, Call call);
    /// Advances without blocking; returns whether all is complete.
    Result<bool> test();
    /// As test(), and advances other calls on the communicator as well, which other ranks may wait
    /// for before they wait for this one.
    Result<bool> test_with_others();
    /// Whether other ranks wait for this one's further calls of MPI, as far as is known.
    bool needs_progress() const {
        return stage_ == Stage::program ? execution_.needs_progress() : stage_ != Stage::complete;
    }
    /// Changes when an operation ends.
    int operations_left() const { return stage_ == Stage::program ? execution_.left() : 0; }
    /// Blocks until all is complete. Also advances other calls on the communicator, because ranks
    /// that this call waits for may wait for those.
    Status wait();
    /// Unpacks what was received and gives up the datatypes held; once, after all is complete.
    Status finish() { return std::exchange(call_, Call()).finish(); }

    /// Advances this call alone, once its tags are free. Called by OpenCalls.
    void advance();

  private:
    /// The steps that follow once sizes have been exchanged.
    struct Later {
        std::shared_ptr<const SizeExchangeProgram> exchange;
        SizeExchangeRun run;
        Recipe recipe;
    };
    enum class Stage { queued, exchange, program, complete };

    Status prepare(CommunicatorState& mine, Call call);
    Status first_step();
    Status begin();
    Status begin_program();
    Status step();
    void complete(Status how);
    Result<bool> is_complete() const;

    Call call_;
    MPI_Comm channel_ = MPI_COMM_NULL;
    int first_tag_ = 0;
    std::shared_ptr<OpenCalls> open_; ///< null: tags of its own
    std::uint64_t number_ = 0;        ///< among the calls in open_
    bool at_once_ = false;
    Stage stage_ = Stage::complete;
    Status result_ = Done{};
    std::optional<Later> later_;
    std::shared_ptr<const Program> program_; ///< the cache may drop it while we run
    std::unique_ptr<std::byte[]> scratch_;
    Execution execution_;
};

} // namespace alltold
