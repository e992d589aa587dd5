// SPDX-License-Identifier: BSD-3-Clause
// Detects whether the machine's processors, not the network, were a lab's bottleneck.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "lab/state.hpp"

namespace alltold::lab {

/// Time of all processors since boot, in clock ticks.
struct Ticks {
    double all = 0, softirq = 0, steal = 0;
};

/// The first line of /proc/stat.
Ticks parse_ticks(const std::string& proc_stat);

/// What processors and sleepers did from `start` to `end`: see Watch::report.
nlohmann::json watch_report(const Shared& shared, const Ticks& start, const Ticks& end);

/// Ranks spin while they wait, so plain utilisation says nothing. What counts is the share of time
/// the kernel spent moving packets (softirq), what the hypervisor took (steal), and how late
/// sleepers woke: the relay, and an ordinary process.
class Watch {
  public:
    Watch() : start_(read()) {}

    /// From start to now: "softirq_share", "steal_share", "timer_late_s", "relay_late_s" (means),
    /// and "bottleneck", which is true if results are unreliable.
    nlohmann::json report(const Shared& shared) const;

    /// Sleeps and wakes forever and records the delays.
    [[noreturn]] static void keep_sleeping(Shared& shared);

  private:
    static Ticks read();
    Ticks start_;
};

/// A one-line warning; empty if the processors were fast enough.
std::string processor_warning(const nlohmann::json& report);

} // namespace alltold::lab
