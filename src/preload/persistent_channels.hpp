// SPDX-License-Identifier: BSD-3-Clause
// Channels and tags for the messages of persistent calls; each call has its own.
#pragma once

#include <mutex>
#include <vector>

#include <mpi.h>

#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// One for each communicator. Calls are matched by the order of their inits, but ranks may start
/// them in any order. So each has tags of its own from its init until every rank has freed it.
class PersistentChannels {
  public:
    PersistentChannels() = default;
    ~PersistentChannels();
    PersistentChannels(const PersistentChannels&) = delete;
    PersistentChannels& operator=(const PersistentChannels&) = delete;

    struct Place {
        int number = 0; ///< among all places; the same on every rank
        MPI_Comm channel = MPI_COMM_NULL;
        int first_tag = 0;
    };
    /// A place for the next call on the communicator of `state`, which is open. Collective over it,
    /// and waits for other ranks only where no place is known to be free. Fails as MPI does, and
    /// with `refused`, alike on all ranks, where the channel is shared and there are too many
    /// calls.
    Result<Place> take(CommunicatorState& state);
    /// This rank no longer uses the place. Any thread may call it.
    void give_back(int number);
    /// This rank alone, for messages to itself. Errors go to the handler that `comm`, the
    /// program's, has now. Made at the first call, which fails as MPI does.
    Result<MPI_Comm> self(MPI_Comm comm);
    MPI_Comm self() const { return self_; }

    /// Gives up all communicators without freeing them: MPI ends.
    void abandon();

  private:
    Status find_free(CommunicatorState& state);
    Status add_channel(CommunicatorState& state);

    std::vector<MPI_Comm> channels_;
    bool lent_ = false;     ///< all of them
    std::vector<int> free_; ///< on all ranks; the next one last
    std::mutex mutex_;
    std::vector<char> given_back_; ///< by number, on this rank, and not in free_
    MPI_Comm self_ = MPI_COMM_NULL;
};

} // namespace alltold::preload
