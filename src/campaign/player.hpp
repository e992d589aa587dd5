// SPDX-License-Identifier: BSD-3-Clause
// Runs one candidate once, on a communicator of its own.
#pragma once

#include <memory>

#include "campaign/candidates.hpp"
#include "campaign/pattern.hpp"
#include "runtime/mpi/communicator.hpp"
#include "runtime/mpi/forcing.hpp"

namespace alltold::play {

/// A candidate ready to play: its schedules stay cached on its communicator.
class Player {
  public:
    /// Plays `collective` alone. Collective over `world`, which is duplicated. Fails when the
    /// candidate does not accept it, and for an algorithm of the library that it cannot be told to
    /// use.
    static Result<Player> make(const mpi::Communicator& world, const Candidate& candidate,
                               Collective collective, const Clusters& clusters);

    /// Chooses for blocks of that size and makes the schedule of `specification`, so that it need
    /// not be made while the clock runs. Local, but collective for an all-to-all-v in which ranks
    /// pass on blocks of others (SizeExchange). Fails when there is none.
    Status rehearse(const Specification& specification, const Buffers& buffers) const;
    /// MPI_Barrier over the ranks that play. Collective.
    Status meet() const;
    /// Runs the collective once. Collective.
    Status play(const Specification& specification, const Buffers& buffers) const;

  private:
    Player(mpi::Communicator over, Candidate candidate, Clusters clusters)
        : over_(std::move(over)), candidate_(std::move(candidate)), clusters_(std::move(clusters)) {
    }
    /// What runs for this call.
    Choice choice_for(const Specification& specification) const;
    Status play_library(const Specification& specification, const Buffers& buffers) const;

    mpi::Communicator over_;
    Candidate candidate_;
    Clusters clusters_;
    /// Of an algorithm of the library that must be named at every call. Shared: players are const.
    std::shared_ptr<mpi::Forcing> forcing_;
};

} // namespace alltold::play
