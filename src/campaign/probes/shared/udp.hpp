// SPDX-License-Identifier: BSD-3-Clause
// UDP between the hosts of MPI ranks, over the addresses that MPI itself uses.
#pragma once

#include <cstdint>
#include <optional>

#include <netinet/in.h>

#include "core/result.hpp"

namespace alltold::campaign {

/// The IPv4 address on which this process's TCP connections to other hosts have moved the most
/// bytes: the network of MPI's messages. Empty if MPI uses no TCP.
std::optional<in_addr> busiest_address();

/// A UDP socket that floods or counts a flood. Move-only.
class UdpSocket {
  public:
    /// Bound to `address`, any port. Fails where the host allows no such socket.
    static Result<UdpSocket> open(in_addr address);
    UdpSocket(UdpSocket&& other) noexcept;
    UdpSocket(const UdpSocket&) = delete;
    UdpSocket& operator=(const UdpSocket&) = delete;
    UdpSocket& operator=(UdpSocket&&) = delete;
    ~UdpSocket();

    const sockaddr_in& address() const { return address_; }

    /// Sends `packets` of `payload_bytes` (8 at least) marked with `flood`, as fast as the host's
    /// own queue takes them, and returns when the last has left it, or after 2 s.
    void send_flood(const sockaddr_in& to, std::uint64_t flood, int packets,
                    std::size_t payload_bytes) const;
    /// The number of packets of `flood` that reached this host: counts until `packets` have, or
    /// none has arrived for a while. Includes packets that this host itself dropped for lack of
    /// buffers, since they passed the network.
    int count_flood(std::uint64_t flood, int packets) const;

  private:
    UdpSocket(int fd, const sockaddr_in& address) : fd_(fd), address_(address) {}
    unsigned dropped_here() const;

    int fd_;
    sockaddr_in address_;
};

} // namespace alltold::campaign
