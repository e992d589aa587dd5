// SPDX-License-Identifier: BSD-3-Clause
// Calls under way, moved on by the MPI library whenever the program waits in it.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "preload/progress_thread.hpp"
#include "runtime/pending.hpp"

namespace alltold::preload {

/// A call under way, and how the program learns that it is complete.
class OpenCall {
  public:
    virtual ~OpenCall() = default;
    OpenCall() = default;
    OpenCall(const OpenCall&) = delete;
    OpenCall& operator=(const OpenCall&) = delete;

    /// Advances the call; returns whether it is complete. The caller holds the Turn.
    bool advance();
    /// Completes the program's request, once, after advance() returned true; the caller does not
    /// hold the Turn. The program may start or free the call from then on.
    virtual void tell() = 0;

  protected:
    /// As advance(), which turns a lack of memory into an error of the call.
    virtual bool step();
    /// Returns `started`, of pending_, once the thread knows whether the call needs it.
    Status begun(Status started);

    Pending pending_;
    int code_ = MPI_SUCCESS; ///< once complete
    ProgressThread::Need need_;
};

/// Held while calls are started or advanced; for std::lock_guard. MPI calls in between may trigger
/// progress again, which then returns at once because the Turn is taken.
class Turn {
  public:
    bool try_lock() { return !taken_.test_and_set(std::memory_order_acquire); }
    void lock();
    void unlock() { taken_.clear(std::memory_order_release); }

  private:
    std::atomic_flag taken_;
};

Turn& turn();

/// Open MPI's progress engine; MPICH's is not accessible to others.
class ProgressEngine {
  public:
    /// Whether the MPI library has one, which calls us from now on.
    static bool found();
    /// Advances `call` until it is complete. The caller keeps ownership.
    static void add(OpenCall& call);
    /// No call is open any more; MPI ends.
    static void stop();
};

} // namespace alltold::preload
