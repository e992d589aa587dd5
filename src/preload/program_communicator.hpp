// SPDX-License-Identifier: BSD-3-Clause
// Our state of a communicator of the program.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include <mpi.h>

#include "preload/job.hpp"
#include "preload/observer.hpp"
#include "preload/persistent_channels.hpp"
#include "preload/progress.hpp"
#include "preload/trial.hpp"
#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// The algorithm for a call, and why.
struct Decision {
    const Choice* choice = nullptr;
    Why why = Why::not_ours;
    class ShapeTrial* trial = nullptr; ///< to be told of the call; null: none

    bool ours() const { return choice && choice->algorithm; }
};

/// The properties of a call that decisions and the log use.
struct SizedCall {
    Collective collective = Collective::bcast;
    std::uint64_t size_bytes = 0; ///< the size that rules use
    std::uint64_t sent_bytes = 0; ///< ObservedCall::size_bytes
    int kind = 0;                 ///< for Trial::add, where the call has no single size
    bool suits = true;            ///< the rule's algorithm supports this call
    bool exact = true;            ///< its results are the same whoever runs it
};

/// The decision for calls that the library runs.
Decision left_to_library();

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
    /// Completes pending sums on all communicators and frees the state of MPI_COMM_WORLD, inside
    /// MPI_Finalize. Returns one line on the shapes that went back to the library, or nothing.
    static std::string end_all();

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

    /// Decides what a blocking call runs. The ranks may have to finish a comparison before.
    Decision decide(const SizedCall& call);
    /// As decide(), for a nonblocking call, which waits for nothing.
    Decision decide_nonblocking(const SizedCall& call) const;
    /// As decide(), for all starts of a persistent call, whose init may wait.
    Decision decide_persistent(const SizedCall& call) const;
    /// Creates the private communicator for our messages, unless it exists or the job has one that
    /// is shared. Collective over the communicator. Fails as MPI does, and with `refused`, alike on
    /// all ranks, where calls must be left to the library.
    Status open() { return state_->is_open() ? Done{} : open_first(); }

  private:
    friend class ShapeTrial;
    using ShapeKey = std::pair<Collective, int>; ///< size class: bits of the size

    friend CommunicatorCache<ProgramCommunicator>;
    static Result<std::unique_ptr<ProgramCommunicator>> make(MPI_Comm comm);
    void let_go(bool ending);
    ProgramCommunicator();
    void set_up(MPI_Comm comm, Job& job);
    Status open_first();
    /// Whether the call runs the library's own until ours was found to be quicker.
    bool tries(const SizedCall& call) const {
        return (tries_vectors_ && call.collective == Collective::alltoallv) ||
               state_->choices().wins_from_one_start(call.collective, call.size_bytes);
    }
    bool compares(const SizedCall& call) const {
        return compare_ == Compare::all || (compare_ == Compare::exact && call.exact);
    }
    static ShapeKey key_of(Collective collective, std::uint64_t size_bytes);

    std::shared_ptr<CommunicatorState> state_;         ///< null: left alone
    std::array<bool, all_collectives.size()> takes_{}; ///< by Collective
    /// All-to-all-v has no rule of its own and tries the all-to-all's.
    bool tries_vectors_ = false;
    Compare compare_ = Compare::off;
    AtOnce at_once_;
    std::shared_ptr<PersistentChannels> persistent_channels_;
    std::map<ShapeKey, std::unique_ptr<ShapeTrial>> trials_;
};

/// The comparison for the calls of one shape, with the sums of its times.
class ShapeTrial {
  public:
    ShapeTrial(CommunicatorState& state, Trial::First first);
    /// Completes the sums still under way.
    ~ShapeTrial();
    ShapeTrial(const ShapeTrial&) = delete;
    ShapeTrial& operator=(const ShapeTrial&) = delete;

    const Trial& trial() const { return trial_; }
    bool began_with_library() const { return began_with_library_; }
    /// Before a call.
    void settle();
    /// After it.
    void add(double duration_s, int kind);

  private:
    CommunicatorState& state_;
    bool began_with_library_;
    Trial trial_;
    bool due_ = false;
    std::array<double, 2> mine_{}, sums_{};
    MPI_Request request_ = MPI_REQUEST_NULL;
};

} // namespace alltold::preload
