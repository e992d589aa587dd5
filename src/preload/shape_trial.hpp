// SPDX-License-Identifier: BSD-3-Clause
// Decides what the calls of one shape run, by the times of their blocks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <mpi.h>

#include "predict/rules/rule.hpp"
#include "preload/job_memory.hpp"
#include "preload/observer.hpp"
#include "preload/process.hpp"
#include "preload/rank_blocks.hpp"

namespace alltold::preload {

class ProgramCommunicator;

/// The algorithm for a call, and why.
struct Decision {
    const Choice* choice = nullptr;
    Why why = Why::not_ours;

    bool ours() const { return choice && choice->algorithm; }
};

/// Calls that the rules leave to the library.
Decision left_to_library(Why why = Why::not_ours);

/// Whether the rules expect it to win whatever the program does between calls.
bool always_wins(const Candidate& candidate);

Moment moment();

/// How long a barrier takes whose ranks arrive together, in seconds. Collective.
double barrier_duration_s(MPI_Comm comm);

/// The comparison for the calls of one shape, with the reductions of its blocks' figures.
class ShapeTrial {
  public:
    /// For nonblocking calls.
    struct Ground {
        MPI_Comm comm = MPI_COMM_NULL; ///< of the calls' ranks; carries the reductions
        double zero_s = 0;             ///< a moment of this rank's clock that all ranks shared
        double barrier_s = 0;          ///< duration of a barrier
    };

    /// For blocking calls. `candidates`: the rule's, which outlive this. What won in earlier jobs
    /// of the same layout is the present candidate from the start, if the rule still names it;
    /// their times are the expected ones.
    ShapeTrial(std::span<const Candidate> candidates, std::uint64_t salt,
               const JobMemory::Earlier& earlier);
    /// For nonblocking calls. The rule's first candidate is the present one from the start only
    /// where it is expected to win whatever the program does between calls.
    ShapeTrial(std::span<const Candidate> candidates, std::uint64_t salt, const Ground& ground);
    /// Completes what is under way.
    ~ShapeTrial();
    ShapeTrial(const ShapeTrial&) = delete;
    ShapeTrial& operator=(const ShapeTrial&) = delete;

    /// Decides the blocking call that begins now. `mine` is its communicator; at the end of a
    /// block it is opened and carries a reduction.
    Decision next(ProgramCommunicator& mine);
    /// Decides the nonblocking call that began at `began`. Nothing while that takes messages of
    /// other ranks: then the same call comes again, before the next one.
    std::optional<Decision> next(const Moment& began);
    /// The decision for other calls of the shape.
    Decision present() const;
    bool sent_back() const { return started_ != 0 && blocks_.switchback().present() == 0; }
    /// The result of the blocks, without layout and size; nothing where it says nothing new.
    std::optional<site::LearnedShape> learned() const;
    /// The observer's record of what the blocks of candidate `i` showed.
    ObservedBlocks observed(std::size_t i) const;
    std::size_t candidates() const { return choices_.size(); }

  private:
    bool begin(ProgramCommunicator& mine);
    void turn(const Moment& now);
    Decision decision_of(std::size_t candidate) const;

    InCollective::Wanted timed_;
    std::vector<const Choice*> choices_; ///< the library's own first
    bool began_with_library_;            ///< by the rule
    bool nonblocking_ = false;
    RankBlocks blocks_;
    std::size_t started_;           ///< the first present candidate
    MPI_Comm comm_ = MPI_COMM_NULL; ///< of the reductions
    bool begun_ = false;            ///< the first border is past
    bool left_alone_ = false;       ///< the communicator carries nothing of ours
    RankBlocks::Figures mine_, agreed_;
    MPI_Request agreement_ = MPI_REQUEST_NULL; ///< of agreed_, until that is known
    MPI_Request barrier_ = MPI_REQUEST_NULL;   ///< between candidates
};

} // namespace alltold::preload
