// SPDX-License-Identifier: BSD-3-Clause
// The part of a message that an overflowing queue loses, and the time that may cost.
#pragma once

#include <optional>

#include "network/links/timeouts.hpp"
#include "simulate/fluid_queue.hpp"

namespace alltold::simulate {

/// A message on its way into a queue.
class Losses {
  public:
    /// Its flow has begun.
    void begin(const FluidQueue& queue);
    /// Its flow is about to end.
    void end(const FluidQueue& queue);
    /// Whether `queue` dropped bytes meanwhile.
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
