// SPDX-License-Identifier: BSD-3-Clause
// How TCP's windows delay connections across the backbone.
#pragma once

#include <algorithm>

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

} // namespace alltold
