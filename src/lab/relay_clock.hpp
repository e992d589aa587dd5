// SPDX-License-Identifier: BSD-3-Clause
// The relay's clock, and when the relay should wake.
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>

namespace alltold::lab {

inline double clock_ns(clockid_t clock) {
    timespec at;
    clock_gettime(clock, &at);
    return static_cast<double>(at.tv_sec) * 1e9 + static_cast<double>(at.tv_nsec);
}

inline double now_ns() {
    return clock_ns(CLOCK_MONOTONIC);
}

/// CLOCK_REALTIME minus CLOCK_MONOTONIC. The kernel stamps packets by the former, which may be set.
class RealTime {
  public:
    /// Compares the clocks again.
    void compare() {
        // A pause between two readings would make packets seem earlier than they are.
        constexpr int attempts = 3;
        constexpr double no_pause_ns = 500;
        double shortest_ns = INFINITY;
        for (int i = 0; i < attempts && shortest_ns > no_pause_ns; ++i) {
            const double before = now_ns(), real = clock_ns(CLOCK_REALTIME), after = now_ns();
            if (after - before < shortest_ns) {
                shortest_ns = after - before;
                offset_ns_ = real - before;
            }
        }
    }
    double to_monotonic(double real_ns) const { return real_ns - offset_ns_; }

  private:
    double offset_ns_ = 0;
};

/// How late the relay usually wakes. It asks to be woken earlier by that much, and spins until it
/// is time.
class WakeUp {
  public:
    void was_late(double late_ns) {
        constexpr double most_ns = 10e3; // spinning takes a processor
        usual_ns_ =
            std::clamp(usual_ns_ + std::clamp(late_ns, -most_ns, most_ns) / 64, 0.0, most_ns);
    }
    double usual_ns() const { return usual_ns_; }

  private:
    double usual_ns_ = 0;
};

/// Limits how often the relay wakes under load: to once per `interval_ns` on average, with `burst`
/// times at any moment after a quiet time, so that single packets leave on time.
class Pace {
  public:
    /// It woke at `now`; returns when it may wake again.
    double woke(double now) {
        constexpr double interval_ns = 50e3, burst = 64;
        next_ns_ = std::max(next_ns_, now) + interval_ns;
        return next_ns_ - burst * interval_ns;
    }

  private:
    double next_ns_ = 0;
};

} // namespace alltold::lab
