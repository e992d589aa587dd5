// SPDX-License-Identifier: BSD-3-Clause
// The request of a persistent call is a persistent receive of an empty message from this rank
// itself. MPI_Start starts it and the call; when the call is complete, this rank sends itself the
// message. So every function that waits or tests takes the request, and the library does the rest.
#include "preload/persistent_receive.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "preload/functions.hpp"
#include "preload/persistent.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {
namespace {

/// All persistent calls, by their requests.
class Registry {
  public:
    void add(MPI_Request request, std::unique_ptr<PersistentCall> call) {
        const std::lock_guard lock(mutex_);
        calls_[request] = std::move(call);
        ++count_;
    }
    /// Null for a request that is not ours.
    PersistentCall* find(MPI_Request request) {
        if (count_.load(std::memory_order_relaxed) == 0)
            return nullptr;
        const std::lock_guard lock(mutex_);
        const auto found = calls_.find(request);
        return found == calls_.end() ? nullptr : found->second.get();
    }
    std::unique_ptr<PersistentCall> take(const PersistentCall* call) {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(calls_.begin(), calls_.end(), [&](const auto& entry) {
            return entry.second.get() == call;
        });
        auto taken = std::move(found->second);
        calls_.erase(found);
        --count_;
        return taken;
    }

  private:
    std::mutex mutex_;
    std::unordered_map<MPI_Request, std::unique_ptr<PersistentCall>> calls_;
    std::atomic<int> count_ = 0;
};

/// Never destroyed: calls that the program has not freed must not call MPI when the process ends.
Registry& registry() {
    static auto& calls = *new Registry;
    return calls;
}

} // namespace

Status make_request(std::unique_ptr<PersistentCall> call, MPI_Comm comm, MPI_Request* request) {
    const auto self = call->channels().self(comm);
    if (!self)
        return self.error();
    if (auto made =
            ALLTOLD_PMPI(Recv_init, nullptr, 0, MPI_BYTE, 0, call->number(), *self, request);
        !made)
        return made;
    registry().add(*request, std::move(call));
    return Done{};
}

void complete(PersistentCall& call, int code) {
    // An error shows as a message that is longer than the receive allows. Open MPI frees a request
    // that fails, and may use its handle for another.
    const auto failed = code == MPI_SUCCESS ? nullptr : registry().take(&call);
    // Once the message is there, the program may start or free the call.
    const char byte = 0;
    MPI_Request sent = MPI_REQUEST_NULL;
    PMPI_Isend(&byte, code == MPI_SUCCESS ? 0 : 1, MPI_BYTE, 0, call.number(),
               call.channels().self(), &sent);
    PMPI_Wait(&sent, MPI_STATUS_IGNORE);
}

bool is_ours(MPI_Request request) {
    return registry().find(request) != nullptr;
}

int start_persistent(MPI_Request* request) {
    auto* const call = registry().find(*request);
    const int code = library().start(request);
    if (code == MPI_SUCCESS)
        call->start();
    return code;
}

int free_persistent(MPI_Request* request) {
    PMPI_Wait(request, MPI_STATUS_IGNORE); // MPI allows it only where this returns at once
    const auto* const call = registry().find(*request);
    if (!call) // it failed, and Open MPI has freed it
        return MPI_SUCCESS;
    const auto freed = registry().take(call);
    return library().request_free(request);
}

} // namespace alltold::preload
