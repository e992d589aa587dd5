// SPDX-License-Identifier: BSD-3-Clause
// Copies of a communicator's channel, shared out in places.
#include "preload/persistent_channels.hpp"

#include "preload/functions.hpp"
#include "preload/shared_channel.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {
namespace {

constexpr int places_per_channel = OpenCalls::slots;
/// On a shared channel the places follow the other calls of the communicator.
constexpr int other_calls = OpenCalls::slots + 1;
constexpr int most_shared = (SharedChannel::calls - other_calls) / places_per_channel;

void take_errhandler(MPI_Comm comm, MPI_Comm from) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(from, &handler);
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
}

} // namespace

PersistentChannels::~PersistentChannels() {
    if (!lent_)
        for (auto& channel : channels_)
            PMPI_Comm_free(&channel);
    if (self_ != MPI_COMM_NULL)
        PMPI_Comm_free(&self_);
}

void PersistentChannels::abandon() {
    channels_.clear();
    self_ = MPI_COMM_NULL;
}

Result<MPI_Comm> PersistentChannels::self(MPI_Comm comm) {
    if (self_ == MPI_COMM_NULL)
        if (auto made = ALLTOLD_PMPI(Comm_dup, MPI_COMM_SELF, &self_); !made)
            return made.error();
    take_errhandler(self_, comm);
    return self_;
}

Result<PersistentChannels::Place> PersistentChannels::take(CommunicatorState& state) {
    if (free_.empty() && !channels_.empty())
        if (auto found = find_free(state); !found)
            return found.error();
    if (free_.empty())
        if (auto added = add_channel(state); !added)
            return added.error();
    const int number = free_.back();
    free_.pop_back();
    const int call = lent_ ? other_calls + number : number % places_per_channel;
    const int first_tag = call * state.open_calls()->tags_per_call();
    return Place{number, channels_[static_cast<std::size_t>(number / places_per_channel)],
                 first_tag};
}

void PersistentChannels::give_back(int number) {
    const std::lock_guard lock(mutex_);
    given_back_[static_cast<std::size_t>(number)] = 1;
}

/// Moves the places that every rank has given back to the free ones.
Status PersistentChannels::find_free(CommunicatorState& state) {
    std::vector<char> all;
    {
        const std::lock_guard lock(mutex_);
        all = given_back_;
    }
    if (auto agreed =
            mpi::check(library().allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()),
                                           MPI_SIGNED_CHAR, MPI_MIN, state.plain()),
                       "MPI_Allreduce");
        !agreed)
        return agreed;
    const std::lock_guard lock(mutex_);
    for (std::size_t number = 0; number < all.size(); ++number)
        if (all[number]) {
            given_back_[number] = 0;
            free_.push_back(static_cast<int>(number));
        }
    return Done{};
}

Status PersistentChannels::add_channel(CommunicatorState& state) {
    MPI_Comm channel = state.channel();
    lent_ = state.is_routed();
    if (lent_ && channels_.size() == most_shared)
        return refused("there are too many persistent calls");
    if (!lent_)
        if (auto made = ALLTOLD_PMPI(Comm_dup, state.channel(), &channel); !made)
            return made;
    const int first = static_cast<int>(channels_.size()) * places_per_channel;
    channels_.push_back(channel);
    for (int place = places_per_channel - 1; place >= 0; --place)
        free_.push_back(first + place);
    const std::lock_guard lock(mutex_);
    given_back_.resize(channels_.size() * static_cast<std::size_t>(places_per_channel));
    return Done{};
}

} // namespace alltold::preload
