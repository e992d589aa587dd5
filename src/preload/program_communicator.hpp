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
#include "preload/observer.hpp"
#include "preload/persistent_channels.hpp"
#include "preload/progress.hpp"
#include "preload/rank_blocks.hpp"
#include "runtime/communicator_state.hpp"

namespace alltold::preload {

class ShapeTrial;

/// The algorithm for a call, and why.
struct Decision {
    const Choice* choice = nullptr;
    Why why = Why::not_ours;

    bool ours() const { return choice && choice->algorithm; }
};

/// The properties of a call that decisions and the log use.
struct SizedCall {
    Collective collective = Collective::bcast;
    std::uint64_t size_bytes = 0; ///< the size that rules use
    std::uint64_t sent_bytes = 0; ///< ObservedCall::size_bytes
    bool suits = true;            ///< all of the rule's algorithms support this call
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
    /// As decide(), for a nonblocking call, which waits for nothing and is in no block.
    Decision decide_nonblocking(const SizedCall& call) const;
    /// As decide(), for all starts of a persistent call, whose init may wait.
    Decision decide_persistent(const SizedCall& call) const;
    /// Creates the private communicator for our messages, unless it exists or the job has one that
    /// is shared. Collective over the communicator. Fails as MPI does, and with `refused`, alike on
    /// all ranks, where calls must be left to the library.
    Status open() { return state_->is_open() ? Done{} : open_first(); }

  private:
    /// Size class: bits of the size. A class may lie in two ranges of the rules.
    using ShapeKey = std::tuple<Collective, int, const Candidate*>;

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
    static ShapeKey key_of(const SizedCall& call, std::span<const Candidate> candidates);
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
    std::map<ShapeKey, std::unique_ptr<ShapeTrial>> trials_;
};

/// The comparison for the calls of one shape, with the reductions of its blocks' figures.
class ShapeTrial {
  public:
    /// `candidates`: the rule's, which outlive this. What won in earlier jobs of the same layout
    /// is the present candidate from the start, if the rule still names it; their times are the
    /// expected ones.
    ShapeTrial(std::span<const Candidate> candidates, std::uint64_t salt,
               const JobMemory::Earlier& earlier);
    /// Completes the reduction that is under way.
    ~ShapeTrial();
    ShapeTrial(const ShapeTrial&) = delete;
    ShapeTrial& operator=(const ShapeTrial&) = delete;

    /// Decides the blocking call that begins now. `mine` is its communicator; at the end of a
    /// block it is opened and carries a reduction.
    Decision next(ProgramCommunicator& mine);
    /// The decision for other calls of the shape.
    Decision present() const;
    bool sent_back() const { return started_ != 0 && blocks_.switchback().present() == 0; }
    /// The result of the blocks, without layout and size; nothing where it says nothing new.
    std::optional<site::LearnedShape> learned() const;
    /// The observer's record of what the blocks of candidate `i` showed.
    ObservedBlocks observed(std::size_t i) const;
    std::size_t candidates() const { return choices_.size(); }

  private:
    void turn(ProgramCommunicator& mine);
    Decision decision_of(std::size_t candidate) const;

    std::vector<const Choice*> choices_; ///< the library's own first
    bool began_with_library_;            ///< by the rule
    RankBlocks blocks_;
    std::size_t started_;     ///< the first present candidate
    bool left_alone_ = false; ///< the communicator carries nothing of ours
    RankBlocks::Figures mine_, agreed_;
    MPI_Request request_ = MPI_REQUEST_NULL; ///< of agreed_, until that is known
    bool aligned_ = false;                   ///< the first border is past
};

} // namespace alltold::preload
