// SPDX-License-Identifier: BSD-3-Clause
// Whether this machine's processors can time a lab that has hosts of several ranks, and whether
// they, not the network, were a lab's bottleneck.
#pragma once

#include <sys/types.h>

#include "lab/state.hpp"

namespace alltold::lab {

/// Above this, ranks wait for processors longer than for packets at any useful rate.
constexpr int most_ranks_a_processor = 16;

/// The processors that the process may use; at least 1.
int processors_here();

/// Fails and says what would do for too many ranks (bad input), unless `options.oversubscribe`.
/// Labs of one rank per host always pass: Watch judges them by how they ran.
Status check_ranks(const LabOptions& options, int processors);

/// A one-line warning that names the rate that fits; empty for a link rate that is low enough, for
/// one rank per host, with `options.oversubscribe`, and where check_ranks fails.
std::string rate_warning(const LabOptions& options, int processors);

/// Time of all processors since boot, in clock ticks.
struct Ticks {
    double all = 0, softirq = 0, steal = 0;
    double relay = 0; ///< of the relay alone
};

/// The first line of /proc/stat, and that of /proc/PID/stat for the relay.
Ticks parse_ticks(const std::string& proc_stat, const std::string& relay_stat);

/// How processors and sleepers fared from `start` to `end`: see Watch::report.
nlohmann::json watch_report(const Shared& shared, const Ticks& start, const Ticks& end);

/// Ranks spin while they wait, so utilisation says nothing. Watched are the share of time spent on
/// packets, by the kernel (softirq) and by the relay, what the hypervisor took (steal), how late
/// sleepers woke (the relay, and an ordinary process), and packets that the relay missed.
class Watch {
  public:
    /// Starts to watch; `relay` is the relay's process.
    explicit Watch(pid_t relay) : relay_(relay), start_(read()) {}

    /// From start to now: "softirq_share", "relay_share", "steal_share", "timer_late_s",
    /// "relay_late_s" (means), "missed_packets", and "bottleneck", which is true if results are
    /// unreliable.
    nlohmann::json report(const Shared& shared) const;

    /// Sleeps and wakes forever and records the delays.
    [[noreturn]] static void keep_sleeping(Shared& shared);

  private:
    Ticks read() const;

    pid_t relay_;
    Ticks start_;
};

/// A one-line warning; empty if the processors were fast enough.
std::string processor_warning(const nlohmann::json& report);

} // namespace alltold::lab
