// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/fluid_queue.hpp"

namespace alltold::simulate {

void FluidQueue::begin_flow(double now_s, double bytes_per_s) {
    advance(now_s);
    ++flows_;
    inflow_bytes_per_s_ += bytes_per_s;
}

void FluidQueue::end_flow(double now_s, double bytes_per_s, double missing_bytes) {
    advance(now_s);
    --flows_;
    // Removes rounding errors of the summed rates.
    inflow_bytes_per_s_ = flows_ == 0 ? 0 : inflow_bytes_per_s_ - bytes_per_s;
    add(missing_bytes);
}

void FluidQueue::begin_packet(double now_s, double bytes_per_s, double packet_bytes) {
    begin_flow(now_s, bytes_per_s);
    ++packets_;
    packets_bytes_per_s_ += bytes_per_s;
    uncounted_bytes_ += packet_bytes;
}

void FluidQueue::end_packet(double now_s, double bytes_per_s) {
    end_flow(now_s, bytes_per_s);
    --packets_;
    packets_bytes_per_s_ = packets_ == 0 ? 0 : packets_bytes_per_s_ - bytes_per_s;
    if (packets_ == 0)
        uncounted_bytes_ = 0;
}

void FluidQueue::set_drain(double now_s, double bytes_per_s) {
    advance(now_s);
    drain_bytes_per_s_ = bytes_per_s;
}

double FluidQueue::rate_behind(double bytes_per_s) const {
    return bytes_per_s * std::min(1.0, drain_bytes_per_s_ / inflow_bytes_per_s_);
}

void FluidQueue::advance(double now_s) {
    const double elapsed_s = now_s - now_s_;
    now_s_ = now_s;
    if (elapsed_s <= 0 || (flows_ == 0 && waiting_bytes_ <= 0 && held_bytes_ <= 0))
        return;
    const double in_bytes = inflow_bytes_per_s_ * elapsed_s;
    const double out_bytes = drain_bytes_per_s_ * elapsed_s;
    load_.busy_s += std::min(elapsed_s, (waiting_bytes_ + in_bytes) / drain_bytes_per_s_);
    arrived_bytes_ += in_bytes;
    uncounted_bytes_ = std::max(0.0, uncounted_bytes_ - packets_bytes_per_s_ * elapsed_s);
    waiting_bytes_ = std::max(0.0, waiting_bytes_ + in_bytes - out_bytes);
    held_bytes_ = std::max(0.0, held_bytes_ + in_bytes - out_bytes);
    add(0);
}

void FluidQueue::add(double bytes) {
    arrived_bytes_ += bytes;
    waiting_bytes_ = std::max(0.0, waiting_bytes_ + bytes);
    held_bytes_ = std::max(0.0, held_bytes_ + bytes);
    load_.peak_bytes = std::max(load_.peak_bytes, waiting_bytes_ - burst_bytes_);
    // A queue that is exactly full loses nothing; times are sums and have rounding errors.
    const double most_bytes = capacity_bytes_ + burst_bytes_;
    if (capacity_bytes_ > 0 && held_bytes_ > most_bytes * (1 + 1e-9)) {
        load_.dropped_bytes += held_bytes_ - most_bytes;
        held_bytes_ = most_bytes;
    }
}

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
