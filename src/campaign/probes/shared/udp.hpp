// SPDX-License-Identifier: BSD-3-Clause
// The system's knowledge of MPI's TCP connections, and UDP over the addresses that they use.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <netinet/in.h>

#include "core/result.hpp"

namespace alltold::campaign {

/// The IPv4 address on which this process's TCP connections to other hosts have moved the most
/// bytes: the network of MPI's messages. Empty if MPI uses no TCP.
std::optional<in_addr> busiest_address();

/// The payload of a full packet on the one of these connections that has moved the most bytes, in
/// bytes. Empty if MPI uses no TCP.
std::optional<int> busiest_segment_bytes();

/// A UDP socket that never blocks and stamps arrivals. Move-only.
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

    /// Hands a packet over; false while the host's own queue is full.
    bool send(const sockaddr_in& to, std::span<const std::byte> packet) const;
    /// The next packet that has arrived, cut off behind `head`, and when the host received it on
    /// Clock::true_now_s; empty if there is none.
    std::optional<double> receive(std::span<std::byte> head) const;
    /// Waits until a packet has arrived, or may be sent if `to_send`, at most `longest_s`.
    void wait(bool to_send, double longest_s) const;
    /// Bytes handed over that have not left the host, in the kernel's count.
    int unsent() const;
    /// Packets that reached this host and were dropped for lack of buffers, so far.
    unsigned dropped_here() const;

  private:
    UdpSocket(int fd, const sockaddr_in& address) : fd_(fd), address_(address) {}

    int fd_;
    sockaddr_in address_;
};

} // namespace alltold::campaign
