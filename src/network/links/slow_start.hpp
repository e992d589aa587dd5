// SPDX-License-Identifier: BSD-3-Clause
// The delay of TCP's slow start on one connection across the backbone.
#pragma once

#include <algorithm>

#include "network/links/link_network.hpp"

namespace alltold {

/// Seconds in which one connection with `size_bytes` to send, offered at `bytes_per_s`, is blocked
/// by its full window, which doubles every round trip up to what connections stay at; 0 without a
/// backbone or an initial window.
inline double slow_start_s(const LinkNetwork& links, double size_bytes, double bytes_per_s) {
    if (!links.backbone || links.initial_window_bytes <= 0)
        return 0;
    const double most_bytes = links.window_bytes > 0 ? links.window_bytes : size_bytes;
    const double round_trip_s = 2 * (links.port.latency_s + links.backbone->latency_s);
    double idle_s = 0, sent_bytes = 0;
    for (double window = links.initial_window_bytes;
         sent_bytes + window < size_bytes &&
         window < std::min(most_bytes, bytes_per_s * round_trip_s);
         window *= 2) {
        idle_s += round_trip_s - window / bytes_per_s;
        sent_bytes += window;
    }
    return idle_s;
}

} // namespace alltold
