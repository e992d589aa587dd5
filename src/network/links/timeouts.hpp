// SPDX-License-Identifier: BSD-3-Clause
// Slow start, lost packets and time-outs of TCP.
#pragma once

#include <algorithm>

#include "core/statistics.hpp"
#include "network/links/link_network.hpp"

namespace alltold {

/// Time of a packet and its acknowledgement across the backbone, which must be known, without
/// queues.
inline double round_trip_s(const LinkNetwork& links) {
    return 2 * (links.port.latency_s + links.backbone->latency_s);
}

/// Seconds in which one connection with `size_bytes` to send, offered at `bytes_per_s`, is blocked
/// by its full window, which doubles every round trip; 0 without a backbone or an initial window.
inline double slow_start_s(const LinkNetwork& links, double size_bytes, double bytes_per_s) {
    if (!links.backbone || links.initial_window_bytes <= 0)
        return 0;
    const double trip_s = round_trip_s(links);
    double idle_s = 0, sent_bytes = 0;
    for (double window = links.initial_window_bytes;
         sent_bytes + window < size_bytes && window < bytes_per_s * trip_s; window *= 2) {
        idle_s += trip_s - window / bytes_per_s;
        sent_bytes += window;
    }
    return idle_s;
}

/// The window of a connection after packets were lost where so many senders filled a port's queue
/// together: its share of what is in flight then, less what TCP takes back, but two packets at
/// least (RFC 9438, section 4.6). 0: not known.
inline double window_after_losses_bytes(const LinkNetwork& links, int senders) {
    constexpr double kept = 0.7, least_packets = 2;
    if (!links.backbone || links.port.queue_bytes <= 0 || senders < 1)
        return 0;
    const double in_flight_bytes =
        links.port.queue_bytes + links.port.goodput_bytes_per_s * round_trip_s(links);
    return std::max(kept * in_flight_bytes / senders, least_packets * links.full_segment_bytes());
}

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
