// SPDX-License-Identifier: BSD-3-Clause
// TCP's retransmission time-outs in a call whose lossy messages are known.
#pragma once

#include <span>

#include "core/estimate.hpp"

namespace alltold {

/// A message that may meet a time-out.
struct Timeout {
    double chance = 0; ///< that it does, 0 to 1
    /// When it is then all there, from the start of the call: any instant between, alike.
    double soonest_s = 0, latest_s = 0;
};

/// Chance that a message waits for a time-out whose share `dropped` (0 to 1) a queue of
/// `queue_bytes` loses while so many `flows` enter it. A loss is repaired at once when three
/// packets behind it arrive, so that a flow whose share of the queue is less than four packets has
/// too few under way: the chance is `dropped` / (1 + exp(2 (packets - 2))), packets being that
/// share (measured in labs, docs/congestion.md; the reason as Morris gave it for many flows at a
/// small buffer).
double timeout_chance(double queue_bytes, int flows, double dropped);

/// Seconds of a call that takes `time_s` without time-outs: the median and the middle 90 %. The
/// chances are known to no better than their order, so that their sum is taken for the mean of a
/// Gamma variable of shape 1/2, and the number of time-outs for Poisson about that.
Estimate with_timeouts(const Estimate& time_s, std::span<const Timeout> timeouts);

} // namespace alltold
