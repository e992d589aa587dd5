// SPDX-License-Identifier: BSD-3-Clause
// A rank that receives nothing from the others says so, and ends later.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace alltold::campaign {

/// The peers of this process's TCP connections that have acknowledged nothing of what they were
/// sent for so long, as numeric addresses, each once. Empty where the system does not tell.
std::vector<std::string> silent_peers(std::chrono::milliseconds at_least);

/// Ranks would wait for a dead peer for ever. Where this is not fed for a while, rank 0 says at
/// what, and each rank which peers do not answer it; later the process ends with a message. One per
/// process; it sleeps in a thread of its own.
class Watchdog {
  public:
    static constexpr std::chrono::seconds quiet_before_notice{30};

    Watchdog(int rank, std::chrono::seconds end_after,
             std::chrono::milliseconds notice_after = quiet_before_notice);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog();

    /// Something came from other ranks.
    void feed();
    /// As feed(); `what` is what begins with the other ranks. Empty: rank 0 waits for none.
    void begin(std::string what);

  private:
    using Clock = std::chrono::steady_clock;
    void watch();
    void tell() const;
    [[noreturn]] void end() const;

    int rank_;
    std::chrono::seconds end_after_;
    std::chrono::milliseconds notice_after_;
    std::mutex mutex_; ///< of what follows
    std::condition_variable ending_;
    bool ended_ = false;
    Clock::time_point fed_;
    std::string what_ = "the start";
    std::thread thread_;
};

} // namespace alltold::campaign
