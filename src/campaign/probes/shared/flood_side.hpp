// SPDX-License-Identifier: BSD-3-Clause
// One host's side of a flood: sends until a queue overflows, and records what arrives.
#pragma once

#include "campaign/engine/clock.hpp"
#include "campaign/probes/shared/udp.hpp"
#include "network/links/flood_reading.hpp"

namespace alltold::campaign {

/// UDP payload of a full Ethernet frame.
constexpr std::uint64_t full_packet_bytes = 1472;

/// The payload of a sender's packets. Packets of equal length at equal rates would arrive at a full
/// queue in the same order for ever, and one sender would lose all of its own.
constexpr std::uint64_t packet_bytes_of(std::size_t sender) {
    constexpr std::size_t lengths = 4;
    constexpr std::uint64_t step_bytes = 24;
    return full_packet_bytes - step_bytes * (sender % lengths);
}

/// A host's part in a flood: it may send, receive, or both.
struct FloodRole {
    std::uint32_t number = 0; ///< among the senders of its port or path, if it sends
    std::optional<sockaddr_in> target;
    std::vector<sockaddr_in> senders; ///< by number, those of the port or path if it receives
    std::vector<bool> sends_here;     ///< which of them send to this host
    std::size_t near = 0;             ///< so many of the first pass the flooded queue alone
};

/// Sends full packets to the target as fast as the host's own link takes them, and receives. A
/// receiver that sees a queue overflow tells all senders of its port or path, which then stop, yet
/// not before 0.1 s or 2 MiB; without an overflow they stop after 1 s or 16 MiB. Returns once all
/// is sent, and all the senders' last packets have arrived or none has for a while. `flood` is a
/// number of this flood alone.
FloodReceipt run_flood(const UdpSocket& socket, const FloodRole& role, std::uint64_t flood,
                       const GlobalClock& clock);

} // namespace alltold::campaign
