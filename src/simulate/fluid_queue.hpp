// SPDX-License-Identifier: BSD-3-Clause
// A queue as a fluid, and the part of a message that it loses when it overflows.
#pragma once

#include "simulate/times.hpp"

namespace alltold::simulate {

/// A byte that enters leaves when all bytes that entered before it have left. Besides this queue
/// without limit, it counts what a queue of `capacity_bytes` would hold and lose: arrivals at A,
/// departures at D, full after B / (A - D) (TW99, equation 3), and from there on A - D lost per
/// second (equation 4). With a burst it is a token bucket: the waiting bytes count as that much
/// less, so bytes do not wait after a pause. Calls come in order of time.
///
/// A lone packet is here whole when its flow begins: other packets wait for all of it from then on.
class FluidQueue {
  public:
    /// A capacity of 0 is none: nothing is ever lost.
    FluidQueue(double drain_bytes_per_s, double capacity_bytes, double burst_bytes = 0)
        : drain_bytes_per_s_(drain_bytes_per_s), capacity_bytes_(capacity_bytes),
          burst_bytes_(burst_bytes) {}

    void begin_flow(double now_s, double bytes_per_s);
    /// A flow begun with this rate ends; `missing_bytes` of it have not been counted yet (or, if
    /// negative, were counted though they never came).
    void end_flow(double now_s, double bytes_per_s, double missing_bytes = 0);
    /// Likewise for a packet of so many bytes.
    void begin_packet(double now_s, double bytes_per_s, double packet_bytes);
    void end_packet(double now_s, double bytes_per_s);
    void set_drain(double now_s, double bytes_per_s);

    /// When a packet that is here whole now has left.
    double packet_leaves_s(double now_s, double packet_bytes) {
        advance(now_s);
        const double before = waiting_bytes_ + uncounted_bytes_ + packet_bytes;
        return now_s + std::max(0., before - burst_bytes_) / drain_bytes_per_s_;
    }
    /// How long a byte that enters now waits.
    double wait_s(double now_s) {
        advance(now_s);
        return std::max(0., waiting_bytes_ - burst_bytes_) / drain_bytes_per_s_;
    }
    /// About the rate at which a flow leaves that enters at `bytes_per_s` among those there are.
    double rate_behind(double bytes_per_s) const;

    double drain_bytes_per_s() const { return drain_bytes_per_s_; }
    double capacity_bytes() const { return capacity_bytes_; }
    /// The number of current flows.
    int flows() const { return flows_; }
    double arrived_bytes() const { return arrived_bytes_; }
    double dropped_bytes() const { return load_.dropped_bytes; }
    /// Counts a message that was entering while bytes were dropped.
    void hit() { ++load_.messages_hit; }
    /// Its statistics until everything in it has left.
    QueueLoad load() const {
        auto load = load_;
        load.busy_s += waiting_bytes_ / drain_bytes_per_s_;
        load.capacity_bytes = capacity_bytes_;
        return load;
    }

  private:
    void advance(double now_s);
    void add(double bytes);

    double drain_bytes_per_s_;
    double capacity_bytes_;
    double burst_bytes_;
    double now_s_ = 0;
    int flows_ = 0;
    double inflow_bytes_per_s_ = 0;
    int packets_ = 0;                ///< of the flows
    double packets_bytes_per_s_ = 0; ///< of the inflow
    double uncounted_bytes_ = 0;     ///< of packets that are here
    double waiting_bytes_ = 0;       ///< in the queue without limit, including spent tokens
    double held_bytes_ = 0;          ///< in the finite queue, likewise
    double arrived_bytes_ = 0;
    QueueLoad load_;
};

/// A message on its way into a queue.
class Losses {
  public:
    /// Its flow has begun.
    void begin(const FluidQueue& queue);
    /// Its flow is about to end.
    void end(const FluidQueue& queue);
    bool any(const FluidQueue& queue) const { return queue.dropped_bytes() > dropped_before_; }
    /// Once it has ended: counts the message if the queue dropped bytes meanwhile. Returns its
    /// time-out if one is likely enough to matter. The time-out starts between the last byte's
    /// entering and leaving the queue; afterwards the lost part of `size_bytes` passes, at
    /// `bytes_per_s`, a queue that may be full. A `timeout_s` of 0 means not known. `flow_bytes` is
    /// what its connection carries in all, as timeout_chance takes it, in full packets of
    /// `packet_bytes`.
    std::optional<Timeout> count(FluidQueue& queue, double now_s, double size_bytes,
                                 double bytes_per_s, double timeout_s, double flow_bytes,
                                 double packet_bytes) const;

  private:
    double dropped_before_ = 0, arrived_before_ = 0;
    int most_flows_ = 0; ///< into the queue at once
};

} // namespace alltold::simulate
