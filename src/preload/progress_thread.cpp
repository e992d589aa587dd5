// SPDX-License-Identifier: BSD-3-Clause
// When the thread naps, steps and is parked.
#include "preload/progress_thread.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <mpi.h>
#include <sched.h>

#include "core/environment.hpp"
#include "preload/functions.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// The thread, from its start to its end.
class Napper {
  public:
    Napper() = default;
    ~Napper();
    Napper(const Napper&) = delete;
    Napper& operator=(const Napper&) = delete;

    /// Before all else. Local. Fails as MPI does.
    Status open();
    /// A call needs it now.
    void wake();

  private:
    // A nap is at least this part of the time since something moved, so that what ends is seen when
    // it has taken little longer.
    static constexpr int naps_of_wait = 16;
    static constexpr int naps_of_cost = 20; ///< a nap after a step for nothing, by its time
    static constexpr Clock::duration shortest = 200us, longest = 5ms;
    static constexpr int most_steps = 8; ///< without a nap, while calls move

    void start();
    void run();
    void step();
    static bool is_needed() { return ProgressThread::exists_ && ProgressThread::needs_ > 0; }

    MPI_Comm self_ = MPI_COMM_NULL;        ///< this rank alone
    MPI_Request never_ = MPI_REQUEST_NULL; ///< a receive on self_ of what nobody sends
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ends_ = false;
    std::atomic<bool> parked_ = true; ///< or not started
    std::thread thread_;
};

namespace {

std::unique_ptr<Napper> napper;

/// Used by this thread.
Clock::duration processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Signals are for the program's threads.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_{};
};

} // namespace

Status Napper::open() {
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_split, MPI_COMM_SELF, 0, 0, &self_));
    return ALLTOLD_PMPI(Irecv, nullptr, 0, MPI_BYTE, 0, 0, self_, &never_);
}

Napper::~Napper() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable())
        thread_.join();
    if (never_ != MPI_REQUEST_NULL) {
        PMPI_Cancel(&never_);
        PMPI_Wait(&never_, MPI_STATUS_IGNORE);
    }
    if (self_ != MPI_COMM_NULL)
        PMPI_Comm_free(&self_);
}

void Napper::start() try {
    const SignalsBlocked blocked;
    thread_ = std::thread([this] { run(); });
} catch (const std::system_error&) { // the next call tries again
}

void Napper::wake() {
    if (!parked_.load())
        return;
    const std::lock_guard lock(mutex_);
    if (thread_.joinable())
        changed_.notify_one();
    else
        start();
}

void Napper::run() {
    pthread_setname_np(pthread_self(), "alltold");
    std::unique_lock lock(mutex_);
    unsigned moved = 0;
    auto moved_at = Clock::now();
    auto used = processor_time();
    while (!ends_) {
        if (!is_needed()) {
            parked_.store(true);
            changed_.wait(lock, [&] { return ends_ || is_needed(); });
            moved_at = Clock::now();
        }
        parked_.store(false);
        const auto used_before = std::exchange(used, processor_time());
        auto nap = naps_of_cost * (used - used_before);
        if (const auto now = ProgressThread::moved_.load(std::memory_order_relaxed); now != moved) {
            moved = now;
            moved_at = Clock::now();
            nap = shortest;
        }
        nap =
            std::clamp(std::max(nap, (Clock::now() - moved_at) / naps_of_wait), shortest, longest);
        if (changed_.wait_for(lock, nap, [&] { return ends_; }))
            break;
        lock.unlock();
        step();
        lock.lock();
    }
}

void Napper::step() {
    int outside = 0;
    if (!ProgressThread::inside_.compare_exchange_strong(outside, -1, std::memory_order_acquire))
        return;
    const OwnCalls own;
    const auto& moved = ProgressThread::moved_;
    unsigned before = 0;
    int steps = 0, done = 0;
    do { // a test that finds nothing moves on whatever is under way, which a probe does not on
         // MPICH
        before = moved.load(std::memory_order_relaxed);
        PMPI_Test(&never_, &done, MPI_STATUS_IGNORE);
    } while (moved.load(std::memory_order_relaxed) != before && ++steps < most_steps);
    ProgressThread::inside_.store(0, std::memory_order_release);
}

bool ProgressThread::asked() {
    return variable("ALLTOLD_PROGRESS") == "on";
}

std::string ProgressThread::begin() {
    const auto setting = variable("ALLTOLD_PROGRESS");
    if (!setting.empty() && setting != "off" && setting != "on")
        return "ALLTOLD_PROGRESS: '" + setting + "' is unknown; off or on. No thread";
    if (!asked())
        return {};
    int level = MPI_THREAD_SINGLE;
    library().query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE)
        return "ALLTOLD_PROGRESS: the MPI library runs without MPI_THREAD_MULTIPLE. No thread";
    auto made = std::make_unique<Napper>();
    if (const auto opened = made->open(); !opened)
        return "ALLTOLD_PROGRESS: " + opened.error().message + ". No thread";
    napper = std::move(made);
    exists_ = true;
    return {};
}

void ProgressThread::end() {
    exists_ = false;
    napper.reset();
}

void ProgressThread::exclude() {
    for (int inside = inside_.load(std::memory_order_relaxed);;)
        if (inside < 0) {
            sched_yield();
            inside = inside_.load(std::memory_order_relaxed);
        } else if (inside_.compare_exchange_weak(inside, inside + 1, std::memory_order_acquire)) {
            return;
        }
}

void ProgressThread::retire() {
    if (exists_.exchange(false))
        exclude(); // for ever
}

void ProgressThread::Need::set(bool needs) {
    if (needs == needs_)
        return;
    needs_ = needs;
    ProgressThread::needs_ += needs ? 1 : -1;
    if (needs && exists_)
        napper->wake();
}

} // namespace alltold::preload
