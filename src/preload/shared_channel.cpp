// SPDX-License-Identifier: BSD-3-Clause
// Tags of the shared communicator, which each rank gives to its communicators.
#include "preload/shared_channel.hpp"

#include <algorithm>
#include <cstdint>

#include "preload/functions.hpp"
#include "preload/process.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {
namespace {

/// More messages between two ranks in one call are left to the library.
constexpr int tags_per_call = 1 << 13;
constexpr int tags_per_communicator = SharedChannel::calls * tags_per_call;

} // namespace

class SharedChannel::Numbers {
  public:
    explicit Numbers(int count) : count_(count) {}

    /// Below 0: there is none.
    int take() {
        const std::lock_guard lock(mutex_);
        if (free_.empty())
            return next_ < count_ ? next_++ : -1;
        const int number = free_.back();
        free_.pop_back();
        return number;
    }
    void give_back(int number) {
        const std::lock_guard lock(mutex_);
        if (number >= 0)
            free_.push_back(number);
    }

  private:
    std::mutex mutex_;
    std::vector<int> free_;
    int next_ = 0, count_;
};

SharedChannel::SharedChannel(MPI_Comm comm, int highest_tag)
    : comm_(comm), numbers_(std::make_shared<Numbers>(highest_tag / tags_per_communicator)) {}

SharedChannel::~SharedChannel() {
    PMPI_Comm_free(&comm_);
}

Result<std::unique_ptr<SharedChannel>> SharedChannel::make() {
    int level = MPI_THREAD_SINGLE; // ranks may have asked for different ones
    PMPI_Query_thread(&level);
    std::uint64_t has_threads = level == MPI_THREAD_MULTIPLE;
    if (auto agreed = mpi::check(library().allreduce(MPI_IN_PLACE, &has_threads, 1, MPI_UINT64_T,
                                                     MPI_MAX, MPI_COMM_WORLD),
                                 "MPI_Allreduce");
        !agreed)
        return agreed.error();
    if (has_threads == 0)
        return std::unique_ptr<SharedChannel>();
    MPI_Comm comm = MPI_COMM_NULL;
    if (auto made = ALLTOLD_PMPI(Comm_split, MPI_COMM_WORLD, 0, 0, &comm); !made)
        return made.error();
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int* highest_tag = nullptr;
    int found = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest_tag, &found);
    return std::unique_ptr<SharedChannel>(new SharedChannel(comm, found ? *highest_tag : 0));
}

Status SharedChannel::open(CommunicatorState& state) const {
    const auto comm = state.caller().comm;
    const auto world = world_ranks(comm);
    const int mine = numbers_->take();
    std::vector<int> numbers(world.size());
    const auto told = mpi::check(
        library().allgather(&mine, 1, MPI_INT, numbers.data(), 1, MPI_INT, comm), "MPI_Allgather");
    if (!told || std::ranges::min(numbers) < 0) {
        numbers_->give_back(mine);
        return told ? refused("a rank has too many communicators") : told;
    }
    // All messages to this rank have arrived when its last call is complete.
    const std::shared_ptr<Routes> routes(new Routes, [numbers = numbers_, mine](Routes* used) {
        numbers->give_back(mine);
        delete used;
    });
    routes->tags_per_call = tags_per_call;
    const auto order = state.order();
    for (std::size_t i = 0; i < world.size(); ++i) {
        const auto rank = order.empty() ? i : static_cast<std::size_t>(order[i]);
        routes->peers.push_back({world[rank], numbers[rank] * tags_per_communicator});
    }
    state.open_on(comm, comm_, routes);
    return Done{};
}

} // namespace alltold::preload
