// SPDX-License-Identifier: BSD-3-Clause
// Detects whether the machine's processors, not the network, were a lab's bottleneck.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "lab/state.hpp"

namespace alltold::lab {

/// Ranks spin while they wait, so utilisation means nothing. What counts is the share of time that
/// the kernel spent on packets (softirq), the share taken by the hypervisor (steal), and how late
/// the relay and an ordinary process woke from sleep.
class Watch {
  public:
    Watch() : start_(read()) {}

    /// From start to now: "softirq_share", "steal_share", "timer_late_s", "relay_late_s" (means),
    /// and "bottleneck", which is true if results are unreliable.
    nlohmann::json report(const Shared& shared) const;

    /// Sleeps and wakes forever and records the delays.
    [[noreturn]] static void keep_sleeping(Shared& shared);

  private:
    struct Ticks {
        double all = 0, softirq = 0, steal = 0;
    };
    static Ticks read();
    Ticks start_;
};

/// A one-line warning; empty if the processors were fast enough.
std::string processor_warning(const nlohmann::json& report);

} // namespace alltold::lab
