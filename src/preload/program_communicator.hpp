// SPDX-License-Identifier: BSD-3-Clause
// Our state of a communicator of the program.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <mpi.h>

#include "preload/job.hpp"
#include "preload/persistent_channels.hpp"
#include "preload/progress.hpp"
#include "preload/shape_trial.hpp"
#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// The properties of a call that decisions and the log use.
struct SizedCall {
    Collective collective = Collective::bcast;
    std::uint64_t size_bytes = 0; ///< the size that rules use
    std::uint64_t sent_bytes = 0; ///< ObservedCall::size_bytes
    bool suits = true;            ///< all of the rule's algorithms support this call
    bool exact = true;            ///< its results are the same whoever runs it
};

/// An attribute of the program's communicator. Not thread-safe: MPI forbids two collectives at once
/// on one communicator.
class ProgramCommunicator {
  public:
    /// The state of `comm`, made at the first call, without communication. Null if the library runs
    /// all calls: outside the job, on intercommunicators, on a single rank, and with processes
    /// outside MPI_COMM_WORLD, which may run without us.
    static ProgramCommunicator* of(MPI_Comm comm) {
        if (!Job::present() || comm == MPI_COMM_NULL)
            return nullptr;
        const auto found = CommunicatorCache<ProgramCommunicator>::of(comm);
        return found && (*found)->state_ ? *found : nullptr;
    }
    ~ProgramCommunicator();
    /// Opens the state of MPI_COMM_WORLD, if rules name anything for it. Collective.
    static void prepare_world();
    /// Completes what is under way on all communicators, tells the observer what blocks showed, and
    /// frees the state of MPI_COMM_WORLD, inside MPI_Finalize. Returns one line on the shapes that
    /// went back to the library, or nothing.
    static std::string end_all();

    /// This rank goes without a call that others may make. What they sent for it may stay behind,
    /// so the private communicator is not freed: another one would get its number.
    void go_without_call() { goes_without_ = true; }
    /// Whether the rules name one of ours for any call of `collective`.
    bool takes(Collective collective) const { return takes_[static_cast<std::size_t>(collective)]; }
    int ranks() const { return state_->caller().size; }
    const Caller& caller() const { return state_->caller(); }
    CommunicatorState& state() { return *state_; }
    const CommunicatorState& state() const { return *state_; }
    /// Outlives the communicator of the program, for calls under way.
    const std::shared_ptr<CommunicatorState>& shared_state() const { return state_; }

    AtOnce& at_once() { return at_once_; }
    /// Created at the first call.
    const std::shared_ptr<PersistentChannels>& persistent_channels();

    /// Decides what a blocking call runs. Where it begins a block, it may wait for other ranks.
    Decision decide(const SizedCall& call);
    /// Whether a nonblocking call is in a block: the library's own then runs on
    /// nonblocking_comm().
    bool compares_nonblocking(const SizedCall& call) const;
    /// As decide(), for such a call, which began at `began` and waits for nothing. Nothing as long
    /// as the ranks have not agreed (ShapeTrial::next). The caller holds the Turn.
    std::optional<Decision> decide_compared(const SizedCall& call, const Moment& began);
    /// As decide(), for another nonblocking call.
    Decision decide_nonblocking(const SizedCall& call);
    /// Null where no nonblocking calls are compared.
    WaitingCalls* waiting() { return nonblocking_ ? &nonblocking_->waiting : nullptr; }
    bool has_waiting() const { return nonblocking_ && !nonblocking_->waiting.none(); }
    /// As long as waiting() is not null.
    MPI_Comm nonblocking_comm() const { return nonblocking_->ground.comm; }
    /// As decide(), for all starts of a persistent call, whose init may wait.
    Decision decide_persistent(const SizedCall& call) const;
    /// Creates the private communicator for our messages, unless it exists or the job has one that
    /// is shared. Collective over the communicator. Fails as MPI does, and with `refused`, alike on
    /// all ranks, where calls must be left to the library.
    Status open() { return state_->is_open() ? Done{} : open_first(); }

  private:
    /// Size class: bits of the size. A class may lie in two ranges of the rules.
    struct ShapeKey {
        Collective collective;
        int size_class;
        bool nonblocking;
        const Candidate* candidates;
        auto operator<=>(const ShapeKey&) const = default;
    };
    /// Nonblocking calls that are compared: they share no communicator with blocking ones, as they
    /// may start after those that follow them.
    struct Nonblocking {
        explicit Nonblocking(const ShapeTrial::Ground& shared) : ground(shared) {}
        ~Nonblocking();
        Nonblocking(const Nonblocking&) = delete;
        Nonblocking& operator=(const Nonblocking&) = delete;

        ShapeTrial::Ground ground;
        WaitingCalls waiting;
    };

    friend CommunicatorCache<ProgramCommunicator>;
    static Result<std::unique_ptr<ProgramCommunicator>> make(MPI_Comm comm);
    void let_go(bool ending);
    ProgramCommunicator();
    void set_up(MPI_Comm comm, Job& job);
    Status open_first();
    std::span<const Candidate> candidates_of(const SizedCall& call) const {
        return state_->choices().candidates_of(call.collective, call.size_bytes);
    }
    bool compares(const SizedCall& call) const {
        return compare_ == Compare::all || (compare_ == Compare::exact && call.exact);
    }
    void open_nonblocking();
    bool may_compare(const SizedCall& call, std::span<const Candidate> candidates) const;
    static ShapeKey key_of(const SizedCall& call, std::span<const Candidate> candidates,
                           bool nonblocking);
    /// The least of its class.
    static std::uint64_t size_of(const ShapeKey& key);
    std::uint64_t salt_of(const ShapeKey& key) const;
    void close_shapes();

    std::shared_ptr<CommunicatorState> state_;         ///< null: left alone
    std::array<bool, all_collectives.size()> takes_{}; ///< by Collective
    Compare compare_ = Compare::off;
    bool goes_without_ = false;
    AtOnce at_once_;
    std::shared_ptr<PersistentChannels> persistent_channels_;
    bool asks_nonblocking_ = false; ///< such a call was made that might have been compared
    std::unique_ptr<Nonblocking> nonblocking_;
    std::map<ShapeKey, std::unique_ptr<ShapeTrial>> trials_;
};

} // namespace alltold::preload
