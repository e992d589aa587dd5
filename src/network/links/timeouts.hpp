// SPDX-License-Identifier: BSD-3-Clause
// TCP's retransmission time-outs in a call whose lossy messages are known.
#pragma once

#include <span>

#include "core/statistics.hpp"

namespace alltold {

/// A message that may meet a time-out.
struct Timeout {
    double chance = 0; ///< that it does, 0 to 1
    /// If so, when all of it has arrived, from the start of the call: uniform between these.
    double soonest_s = 0, latest_s = 0;
};

/// Chance that a message waits for a time-out when a queue of so many packets, which `flows` flows
/// enter, loses the share `dropped` (0 to 1) of it. TCP repairs a loss at once when three later
/// packets arrive, but a flow with fewer than four packets in the queue has too few in flight. The
/// chance is `dropped` / (1 + exp(2 (packets - 2))), where packets are the flow's share of the
/// queue (measured in labs, docs/congestion.md; Morris gives this reason for many flows at a small
/// buffer). Of a flow of few packets in all, `flow_packets`, the last three have too few behind
/// them: of 29 exchanges of up to 6,000 B a pair between clusters that overflowed a queue, 24
/// waited for a time-out (docs/results/blind.md). Within a cluster, where a probe 2 round trips
/// later may still repair them, `flow_packets` is infinite.
double timeout_chance(double queue_packets, int flows, double dropped, double flow_packets);

/// Seconds of a call that takes `time_s` without time-outs: the median and the middle 90 %. The
/// chances are known only to their order of magnitude, so their sum is taken as the mean of a Gamma
/// variable of shape 1/2, and the number of time-outs as Poisson with that mean.
Estimate with_timeouts(const Estimate& time_s, std::span<const Timeout> timeouts);

} // namespace alltold
