// SPDX-License-Identifier: BSD-3-Clause
// A link with a finite drop-tail queue, kept as arithmetic on instants so that it never drifts.
#pragma once

#include <cstdint>

namespace alltold::lab {

/// When packets leave a link of a given rate. The clock is the caller's, in nanoseconds; a packet
/// is judged by when it arrived, not by when somebody looked, so waking up late costs no rate.
class LinkQueue {
  public:
    /// `bit_per_s` above 0; `queue_bytes` counts what waits and what is being sent.
    LinkQueue(double bit_per_s, std::uint64_t queue_bytes)
        : ns_per_byte_(8e9 / bit_per_s),
          queue_ns_(static_cast<double>(queue_bytes) * ns_per_byte_) {}

    /// The instant its last bit leaves, or -1 when the queue is full and it is dropped. Instants
    /// of arrival must not decrease.
    double offer(double arrival_ns, int bytes) {
        const double own_ns = bytes * ns_per_byte_;
        const double start = free_ns_ > arrival_ns ? free_ns_ : arrival_ns;
        if (start - arrival_ns + own_ns > queue_ns_)
            return -1;
        return free_ns_ = start + own_ns;
    }

    /// The same for a packet whose last bit arrives at `arrival_ns` from a link of the same rate:
    /// an idle link passes each bit on as it comes, so that the packet is not delayed twice.
    double offer_passing(double arrival_ns, int bytes) {
        const double own_ns = bytes * ns_per_byte_;
        const double first_bit = arrival_ns - own_ns;
        const double start = free_ns_ > first_bit ? free_ns_ : first_bit;
        if (start - first_bit > queue_ns_)
            return -1;
        return free_ns_ = start + own_ns;
    }

  private:
    double ns_per_byte_;
    double queue_ns_;
    double free_ns_ = 0; ///< when the last accepted packet is gone
};

} // namespace alltold::lab
