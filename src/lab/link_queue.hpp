// SPDX-License-Identifier: BSD-3-Clause
// A link with a finite drop-tail queue, computed from arrival times so that it never drifts.
#pragma once

#include <cstdint>

namespace alltold::lab {

/// Computes when packets leave a link of a given rate. Times are the caller's, in nanoseconds. The
/// result depends on when a packet arrived, not on when it was noticed, so a late wake-up does not
/// reduce the rate.
class LinkQueue {
  public:
    /// `bit_per_s` above 0; `queue_bytes` includes the packet being sent.
    LinkQueue(double bit_per_s, std::uint64_t queue_bytes)
        : ns_per_byte_(8e9 / bit_per_s),
          queue_ns_(static_cast<double>(queue_bytes) * ns_per_byte_) {}

    /// When its last bit leaves, or -1 if the queue is full and it is dropped. Arrival times must
    /// not decrease.
    double offer(double arrival_ns, int bytes) {
        const double own_ns = bytes * ns_per_byte_;
        const double start = free_ns_ > arrival_ns ? free_ns_ : arrival_ns;
        if (start - arrival_ns + own_ns > queue_ns_)
            return -1;
        return free_ns_ = start + own_ns;
    }

    /// The same for a packet whose last bit arrives at `arrival_ns` from a link of the same rate:
    /// an idle link forwards each bit as it arrives, so that the packet is not delayed twice.
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
    double free_ns_ = 0; ///< when the last accepted packet has left
};

} // namespace alltold::lab
