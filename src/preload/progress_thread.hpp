// SPDX-License-Identifier: BSD-3-Clause
// A thread that moves nonblocking calls on while the program computes.
#pragma once

#include <atomic>
#include <string>

namespace alltold::preload {

/// It naps, wakes the MPI library's progress engine and naps again, as long as a call is open that
/// needs it (Need), and is parked otherwise. All members are thread-safe except begin() and end().
class ProgressThread {
  public:
    /// Whether ALLTOLD_PROGRESS asks for one, so that MPI_Init is to ask the library for
    /// MPI_THREAD_MULTIPLE.
    static bool asked();
    /// Inside MPI_Init, once something of ours may run. Returns why there is none though it was
    /// asked for, or nothing. The thread starts with the first call that needs it.
    static std::string begin();
    /// Whether calls may start it.
    static bool exists() { return exists_.load(std::memory_order_relaxed); }
    /// Inside MPI_Finalize, before anything of ours ends.
    static void end();
    /// From now on it runs nothing, since a function of the program, which did not ask for threads,
    /// could run in it. Waits for a step that is under way.
    static void retire();
    /// An operation of a call has ended or begun: the next may soon.
    static void note_movement() { moved_.fetch_add(1, std::memory_order_relaxed); }

    /// Whether an open call needs steps while the program computes.
    class Need {
      public:
        Need() = default;
        ~Need() { set(false); }
        Need(const Need&) = delete;
        Need& operator=(const Need&) = delete;
        void set(bool needs);

      private:
        bool needs_ = false;
    };

    /// Lives while the program is in a call that uses what the thread's steps use, too. The thread
    /// takes no step meanwhile.
    class Excluded {
      public:
        Excluded() : is_(exists()) {
            if (is_)
                exclude();
        }
        ~Excluded() {
            if (is_)
                inside_.fetch_sub(1, std::memory_order_release);
        }
        Excluded(const Excluded&) = delete;
        Excluded& operator=(const Excluded&) = delete;

      private:
        bool is_;
    };

  private:
    friend class Napper;

    static void exclude();

    static inline std::atomic<bool> exists_ = false; ///< from begin() to end()
    static inline std::atomic<int> inside_ = 0; ///< calls of the program; -1: a step of the thread
    static inline std::atomic<int> needs_ = 0;  ///< open calls that need it
    static inline std::atomic<unsigned> moved_ = 0;
};

} // namespace alltold::preload
