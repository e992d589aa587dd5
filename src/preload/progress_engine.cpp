// SPDX-License-Identifier: BSD-3-Clause
// A function of ours that Open MPI's progress engine calls.
#include "preload/progress_engine.hpp"

#include <new>

#include <dlfcn.h>
#include <sched.h>

#include "preload/functions.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {

bool OpenCall::step() {
    const auto done = pending_.test();
    if (done && !*done)
        return false;
    code_ = mpi::code_of(done ? pending_.finish() : Status(done.error()));
    return true;
}

Status OpenCall::begun(Status started) {
    need_.set(started && pending_.needs_progress());
    return started;
}

bool OpenCall::advance() {
    const int before = pending_.operations_left();
    bool complete = true;
    try {
        complete = step();
    } catch (const std::bad_alloc&) {
        code_ = MPI_ERR_NO_MEM;
    }
    if (complete)
        need_.set(false);
    if (complete || pending_.operations_left() != before)
        ProgressThread::note_movement();
    return complete;
}

void Turn::lock() {
    while (!try_lock())
        sched_yield();
}

Turn& turn() {
    static Turn instance;
    return instance;
}

#ifdef MPICH_VERSION

bool ProgressEngine::found() {
    return false;
}

void ProgressEngine::add(OpenCall&) {}

void ProgressEngine::stop() {}

#else

namespace {

std::vector<OpenCall*> open; ///< what the progress engine moves on
std::atomic<int> open_count = 0;

/// Called by Open MPI's progress engine. Returns how many events there were.
int progress() {
    if (open_count.load(std::memory_order_relaxed) == 0)
        return 0;
    std::unique_lock held(turn(), std::try_to_lock);
    if (!held)
        return 0;
    const OwnCalls own;
    std::vector<OpenCall*> complete;
    std::erase_if(open, [&](OpenCall* call) {
        if (!call->advance())
            return false;
        complete.push_back(call);
        return true;
    });
    open_count.store(static_cast<int>(open.size()), std::memory_order_relaxed);
    held.unlock();
    for (auto* const call : complete)
        call->tell();
    return static_cast<int>(complete.size());
}

using Register = int (*)(int (*)());

Register engine_function(const char* name) {
    return reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, name));
}

} // namespace

bool ProgressEngine::found() {
    static const bool once = [] {
        const auto add_to_engine = engine_function("opal_progress_register");
        return add_to_engine && add_to_engine(progress) == 0;
    }();
    return once;
}

void ProgressEngine::add(OpenCall& call) {
    const std::lock_guard held(turn());
    open.push_back(&call);
    open_count.store(static_cast<int>(open.size()), std::memory_order_relaxed);
}

void ProgressEngine::stop() {
    const auto remove = engine_function("opal_progress_unregister");
    if (remove && found())
        remove(progress);
}

#endif

} // namespace alltold::preload
