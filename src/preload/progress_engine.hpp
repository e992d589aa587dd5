// SPDX-License-Identifier: BSD-3-Clause
// Calls under way, moved on by the MPI library whenever the program waits in it.
#pragma once

#include <atomic>
#include <vector>

#include "runtime/pending.hpp"

namespace alltold::preload {

/// A call under way, and how the program learns that it is complete.
class OpenCall {
  public:
    virtual ~OpenCall() = default;
    OpenCall() = default;
    OpenCall(const OpenCall&) = delete;
    OpenCall& operator=(const OpenCall&) = delete;

    /// Moves the call on; whether it is complete now. Holding the Turn.
    bool advance();
    /// Tells the program's request, once, after advance() said so; without the Turn. The program
    /// may start or free the call from then on.
    virtual void tell() = 0;

  protected:
    Pending pending_;
    int code_ = MPI_SUCCESS; ///< once complete
};

/// Held while calls are started or moved on. MPI calls in between may ask for progress again, so
/// whoever finds it taken goes on without.
class Turn {
  public:
    bool try_take() { return !taken_.test_and_set(std::memory_order_acquire); }
    void take();
    void release() { taken_.clear(std::memory_order_release); }

  private:
    std::atomic_flag taken_;
};

Turn& turn();

/// The progress engine of Open MPI; MPICH has none for others.
class ProgressEngine {
  public:
    /// Whether the MPI library has one, which calls us from now on.
    static bool found();
    /// Moves `call` on until it is complete. It stays the caller's.
    static void add(OpenCall& call);
    /// No call is open any more; MPI ends.
    static void stop();
};

} // namespace alltold::preload
