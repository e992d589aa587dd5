// SPDX-License-Identifier: BSD-3-Clause
// Generalized requests, and who moves them on.
#include "preload/progress.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

#include <dlfcn.h>
#include <sched.h>

#include "runtime/mpi/error.hpp"
#include "runtime/pending.hpp"

namespace alltold::preload {
namespace {

/// A call and the request that stands for it.
struct OpenRequest {
    std::shared_ptr<CommunicatorState> state; ///< its communicator must outlive the call
    Pending pending;
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    bool complete = false;
};

/// Held while calls are started or moved on. MPI calls in between may ask for progress again, so
/// whoever finds it taken goes on without.
class Turn {
  public:
    bool try_take() { return !taken_.test_and_set(std::memory_order_acquire); }
    void take() {
        while (!try_take())
            sched_yield();
    }
    void release() { taken_.clear(std::memory_order_release); }

  private:
    std::atomic_flag taken_;
};

Turn turn;

int code_of(const Status& status) {
    if (status)
        return MPI_SUCCESS;
    return status.error().code != MPI_SUCCESS ? status.error().code : MPI_ERR_OTHER;
}

/// Moves one on; whether it is complete now.
bool advance(OpenRequest& one) try {
    const auto done = one.pending.test();
    if (done && !*done)
        return false;
    one.code = code_of(done ? one.pending.finish() : Status(done.error()));
    return one.complete = true;
} catch (const std::bad_alloc&) {
    one.code = MPI_ERR_NO_MEM;
    return one.complete = true;
}

int query(void* extra, MPI_Status* status) {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return static_cast<OpenRequest*>(extra)->code;
}

int release(void* extra) {
    delete static_cast<OpenRequest*>(extra);
    return MPI_SUCCESS;
}

/// MPI forbids to cancel a collective.
int cancel(void*, int complete) {
    return complete ? MPI_SUCCESS : MPI_ERR_REQUEST;
}

#ifdef MPICH_VERSION

constexpr bool only_at_once = true;

bool engine_found() {
    return true;
}

int poll(void* extra, MPI_Status*) {
    auto& one = *static_cast<OpenRequest*>(extra);
    if (one.complete || !turn.try_take())
        return MPI_SUCCESS;
    const bool now = advance(one);
    turn.release();
    return now ? PMPI_Grequest_complete(one.request) : MPI_SUCCESS;
}

int wait(int count, void** extras, double, MPI_Status* status) {
    for (int i = 0; i < count; ++i)
        while (!static_cast<OpenRequest*>(extras[i])->complete)
            if (const int code = poll(extras[i], status); code != MPI_SUCCESS)
                return code;
    return MPI_SUCCESS;
}

int make_request(OpenRequest& one) {
    return PMPIX_Grequest_start(query, release, cancel, poll, wait, &one, &one.request);
}

void add(OpenRequest&) {}

#else

constexpr bool only_at_once = false;

std::vector<OpenRequest*> open; ///< what the progress engine moves on
std::atomic<int> open_count = 0;

/// Called by Open MPI's progress engine. Returns how many events there were.
int progress() {
    if (open_count.load(std::memory_order_relaxed) == 0 || !turn.try_take())
        return 0;
    std::vector<MPI_Request> complete;
    std::erase_if(open, [&](OpenRequest* one) {
        if (!advance(*one))
            return false;
        complete.push_back(one->request);
        return true;
    });
    open_count.store(static_cast<int>(open.size()), std::memory_order_relaxed);
    turn.release();
    for (const auto request : complete) // after which another thread may free it
        PMPI_Grequest_complete(request);
    return static_cast<int>(complete.size());
}

using Register = int (*)(int (*)());

bool engine_found() {
    static const bool once = [] {
        const auto add_to_engine =
            reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "opal_progress_register"));
        return add_to_engine && add_to_engine(progress) == 0;
    }();
    return once;
}

int make_request(OpenRequest& one) {
    return PMPI_Grequest_start(query, release, cancel, &one, &one.request);
}

void add(OpenRequest& one) {
    open.push_back(&one);
    open_count.store(static_cast<int>(open.size()), std::memory_order_relaxed);
}

#endif

} // namespace

Status start_request(const std::shared_ptr<CommunicatorState>& mine, AtOnce& at_once, Call call,
                     MPI_Request* request) {
    if (!engine_found())
        return refused("the MPI library has no progress engine that calls us");
    if (only_at_once) {
        auto possible = at_once.possible(*mine, call.shape());
        if (!possible)
            return possible.error();
        if (!*possible)
            return refused("its messages cannot be posted at once");
    }
    auto one = std::make_unique<OpenRequest>();
    one->state = mine;
    turn.take();
    const auto started = one->pending.start(*mine, std::move(call), only_at_once);
    turn.release();
    if (!started)
        return started;
    if (const int code = make_request(*one); code != MPI_SUCCESS)
        return mpi::check(code, "MPI_Grequest_start");
    *request = one->request;
    turn.take();
    add(*one.release());
    turn.release();
    return Done{};
}

void stop_progress() {
#ifndef MPICH_VERSION
    const auto remove = reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "opal_progress_unregister"));
    if (remove && engine_found())
        remove(progress);
#endif
}

} // namespace alltold::preload
