// SPDX-License-Identifier: BSD-3-Clause
// A rank that combines what other ranks send it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace alltold {

/// What one message to a rank costs, in seconds.
struct FanInCost {
    double latency_s = 0, gap_s = 0, combine_s = 0;
};

/// A sender: when its message may leave, and its number, by which those of one instant are ordered.
struct FanInSender {
    double ready_s = 0;
    int rank = 0;
};

/// Seconds until a rank, ready at 0, has combined one message of each of `senders`, in this order.
/// Its port takes a message per gap as they come; one that comes out of turn waits for its own.
inline double fan_in_s(std::vector<FanInSender> senders, const FanInCost& cost) {
    const auto in_order = senders;
    std::ranges::sort(senders, {},
                      [](const auto& sender) { return std::pair(sender.ready_s, sender.rank); });
    std::vector<double> received_s(senders.size());
    double port_s = 0, combined_s = 0;
    for (const auto& sender : senders) {
        port_s = std::max(port_s, sender.ready_s + cost.latency_s) + cost.gap_s;
        const auto turn = std::ranges::find(in_order, sender.rank, &FanInSender::rank);
        received_s[static_cast<std::size_t>(turn - in_order.begin())] = port_s;
    }
    for (const double arrived_s : received_s)
        combined_s = std::max(combined_s, arrived_s) + cost.combine_s;
    return combined_s;
}

} // namespace alltold
