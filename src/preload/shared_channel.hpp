// SPDX-License-Identifier: BSD-3-Clause
// One communicator for the messages on all communicators of a program with threads.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include <mpi.h>

#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// Under MPI_THREAD_MULTIPLE we make no communicator of several ranks while the program runs. Open
/// MPI 4.1 lets a process make one only when it makes none of a communicator that is older, and so
/// threads that make some, of communicators whose ranks overlap, may wait for each other. A program
/// that makes its own without such a wait would have it with ours.
class SharedChannel {
  public:
    /// Null where no rank has MPI_THREAD_MULTIPLE. Collective over MPI_COMM_WORLD.
    static Result<std::unique_ptr<SharedChannel>> make();
    ~SharedChannel();
    SharedChannel(const SharedChannel&) = delete;
    SharedChannel& operator=(const SharedChannel&) = delete;

    /// Opens `state`. Collective over its communicator. Fails as MPI does, and with `refused`,
    /// alike on all ranks, where a rank has too many communicators.
    Status open(CommunicatorState& state) const;

    /// The tags of a communicator are for so many calls: blocking ones together, those of
    /// OpenCalls::slots, and persistent ones.
    static constexpr int calls = 256;

  private:
    class Numbers;
    SharedChannel(MPI_Comm comm, int highest_tag);

    MPI_Comm comm_;
    std::shared_ptr<Numbers> numbers_; ///< one for each of this rank's communicators
};

} // namespace alltold::preload
