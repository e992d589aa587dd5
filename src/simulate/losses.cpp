// SPDX-License-Identifier: BSD-3-Clause
// The share lost, and the chance of a time-out for it.
#include "simulate/losses.hpp"

#include <algorithm>

namespace alltold::simulate {
namespace {

/// Even a million messages with this probability make no time-out likely.
constexpr double least_chance = 1e-7;

} // namespace

void Losses::begin(const FluidQueue& queue) {
    most_flows_ = queue.flows();
    dropped_before_ = queue.dropped_bytes();
    arrived_before_ = queue.arrived_bytes();
}

void Losses::end(const FluidQueue& queue) {
    most_flows_ = std::max(most_flows_, queue.flows());
}

std::optional<Timeout> Losses::count(FluidQueue& queue, double now_s, double size_bytes,
                                     double bytes_per_s, double timeout_s, double flow_bytes,
                                     double packet_bytes) const {
    if (!any(queue))
        return std::nullopt;
    queue.hit();
    const double dropped = queue.dropped_bytes() - dropped_before_;
    const double share = std::min(1.0, dropped / (queue.arrived_bytes() - arrived_before_));
    const double queue_bytes = queue.capacity_bytes();
    const double chance =
        timeout_chance(queue_bytes / packet_bytes, most_flows_, share, flow_bytes / packet_bytes);
    if (timeout_s <= 0 || chance < least_chance)
        return std::nullopt;
    const double again_bytes = queue_bytes + share * size_bytes;
    const double soonest_s = now_s + timeout_s + again_bytes / bytes_per_s;
    return Timeout{chance, soonest_s, soonest_s + queue.wait_s(now_s)};
}

} // namespace alltold::simulate
