// SPDX-License-Identifier: BSD-3-Clause
// The rate and the queue of a bottleneck from when the packets of one flood arrive.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace alltold {

/// One sender's part; times on the clock of all.
struct FloodSender {
    double packets = 0;   ///< sent, numbered from 0
    double started_s = 0; ///< when the first packet left the host
    double ended_s = 0;   ///< when the last one did
};

/// One packet at a receiver.
struct FloodArrival {
    std::size_t sender = 0; ///< index into the senders
    std::uint64_t number = 0;
    double time_s = 0;
};

constexpr std::size_t flood_steps = 32;

/// Packets as one receiver saw them.
struct FloodReceipt {
    double arrived = 0; ///< packets
    /// When a queue on the way was seen to have overflown; infinite if it was not.
    double overflow_s = std::numeric_limits<double>::infinity();
    /// When each 32nd of them had arrived.
    std::array<double, flood_steps + 1> reached_s{};
    /// How much longer packets took than the quickest one, median of each 32nd.
    std::array<double, flood_steps> delayed_s{};
};

/// Counts what is lost and decides whether a queue overflows; a few packets may be lost for other
/// reasons.
class FloodLoss {
  public:
    /// The next arrival. Packets of a sender are assumed to arrive in order.
    void add(std::size_t sender, std::uint64_t number);
    /// Whether the others overflowed a queue, if this host itself lost `ours` of the missing
    /// packets.
    bool overflow(double ours = 0) const;
    /// The packets behind a sender's last arrival, of the `packets` that it sent.
    double behind(std::size_t sender, double packets) const;

  private:
    std::vector<std::uint64_t> expected_; ///< by sender
    double arrived_ = 0;
    double lost_ = 0;
};

/// `arrivals` in order of time. Each sender emits at a steady pace from its start to its end, so
/// that each packet's time under way is known up to a constant; once the queue overflows, the
/// packets that are not lost wait behind a full queue. The receiver itself lost `ours` packets. Of
/// senders behind the `near` first only the arrivals count: their packets may also wait and be lost
/// elsewhere.
FloodReceipt read_arrivals(std::span<const FloodArrival> arrivals,
                           std::span<const FloodSender> senders, std::size_t near, double ours = 0);

/// The bottleneck: one port or path that all the receivers' packets passed.
struct FloodReading {
    double packets_per_s = 0; ///< that leave the bottleneck; 0 where none arrived
    /// Packets that fit into the queue, the one being sent included; 0 where it did not overflow:
    /// then the rate is that of the senders, and the bottleneck carries at least that.
    double queue_packets = 0;
};

/// The rate is the median slope of arrivals against time, over all pairs of points half the flood
/// apart: a pause of a host or of the network does not bend it.
FloodReading read_flood(std::span<const FloodReceipt> receipts);

} // namespace alltold
