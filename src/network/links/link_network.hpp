// SPDX-License-Identifier: BSD-3-Clause
// A network as links with rates, delays and finite buffers: one cluster or several on a backbone.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace alltold {

/// A full-duplex link or port and the queue in front of it.
struct Link {
    double goodput_bytes_per_s = 0; ///< payload, headers taken off; above 0
    double latency_s = 0;           ///< one way
    double queue_bytes = 0;         ///< of frames, before some are lost; 0: not known, or unlimited
    double burst_bytes = 0;         ///< payload that passes at once after a pause (token buckets)
    /// Half-widths of 95 % intervals, relative; 0: not known.
    double goodput_error = 0, latency_error = 0, queue_error = 0;
    bool latency_known = true; ///< else the latency is 0
    bool at_least = false;     ///< it carries the goodput or more: nothing filled it
};

/// The total rate of concurrent flows across the backbone, each between its own pair of hosts.
struct CarriedFlows {
    int flows = 0;
    double goodput_bytes_per_s = 0;
    bool operator==(const CarriedFlows&) const = default;
};

/// TCP's payload of a full Ethernet frame of 1514 bytes, with its timestamps.
constexpr double ethernet_segment_bytes = 1448;
/// Of Ethernet, IP and TCP with its timestamps around a segment.
constexpr double tcp_headers_bytes = 14 + 20 + 32;
/// Of MPI in front of a message, and room to spare.
constexpr double mpi_header_bytes = 48;
/// All of them, of a message that fits into one packet.
constexpr double message_headers_bytes = tcp_headers_bytes + mpi_header_bytes;

/// TCP's initial window, at the start and after a pause, on most systems: so many full segments
/// (RFC 6928).
constexpr double segments_at_first = 10;
constexpr double ten_segments_bytes = segments_at_first * ethernet_segment_bytes;

/// Why a call with several ranks per host cannot be predicted without LinkNetwork::memory.
inline constexpr std::string_view memory_unknown =
    "copies between ranks of one host were not measured";

/// Hosts on switches: each host's own link, and the backbone between the switches.
struct LinkNetwork {
    /// Messages between ranks of one host.
    struct Memory {
        double latency_s = 0;                     ///< of a message of no bytes
        double copy_bytes_per_s = 0;              ///< of one pair of ranks alone; above 0
        double shared_bytes_per_s = 0;            ///< of all pairs of a host together; above 0
        double latency_error = 0, rate_error = 0; ///< half-widths of 95 % intervals, relative
        bool assumed = false;                     ///< nobody measured it
    };

    Link port;                    ///< from the switch to a host and back; latency host to host
    std::optional<Link> backbone; ///< one per direction and cluster; latency added to a port's
    double start_up_s = 0;        ///< the processor's part of one message, at either end
    /// The share of a packet that a switch must have before it forwards the packet: 1 is
    /// store-and-forward by one switch on each link, 0 cut-through.
    double store_and_forward = 0;
    double timeout_s = 0.2; ///< what a lost packet costs when nothing behind it was received
    std::vector<CarriedFlows> carried = {}; ///< measured, by number of flows; empty: not known
    /// Initial window of an idle connection across the backbone; 0: unlimited.
    double initial_window_bytes = 0;
    /// The window at which their slow start ends, such as that after losses, from where it grows
    /// slowly; 0: unlimited.
    double window_bytes = 0;
    bool past_slow_start = false; ///< all connections were just used, and have that window
    /// Half-widths of 95 % intervals, relative: the wider one of the rates', and of the latencies'.
    double rate_error = 0, latency_error = 0;
    std::optional<Memory> memory = {}; ///< empty: not known
    /// TCP's payload of a full packet (its maximum segment size), as hosts' sockets say; 0: not
    /// known, and headers do not count.
    double mss_bytes = 0;
    /// The most that one connection between two hosts carries, where only several fill a port; 0:
    /// as much as the port.
    double connection_bytes_per_s = 0;

    /// mss_bytes, or that of Ethernet's usual frame where it is not known.
    double full_segment_bytes() const { return mss_bytes > 0 ? mss_bytes : ethernet_segment_bytes; }
    /// A full packet in the bytes in which queues and messages are counted: payload where packets
    /// are known, else the whole of Ethernet's usual frame.
    double packet_bytes() const {
        return mss_bytes > 0 ? mss_bytes : ethernet_segment_bytes + tcp_headers_bytes;
    }
    /// The payload of full packets of so many bytes, headers included: rates are those of payload.
    /// Unchanged where packets are not known.
    double payload_of(double frame_bytes) const {
        return mss_bytes > 0 ? frame_bytes / (1 + tcp_headers_bytes / mss_bytes) : frame_bytes;
    }
    /// The payload that a queue and the packet that leaves it, half of which is gone on average,
    /// hold; 0: not known, or unlimited.
    double held_bytes(const Link& link) const {
        return mss_bytes > 0 && link.queue_bytes > 0 ? payload_of(link.queue_bytes) + mss_bytes / 2
                                                     : link.queue_bytes;
    }
    /// The payload of full packets that takes a link as long as a message with the headers of its
    /// packets. The message itself where packets are not known.
    double with_headers(double message_bytes) const {
        if (mss_bytes <= 0)
            return message_bytes;
        const double stream_bytes = message_bytes + mpi_header_bytes;
        return payload_of(stream_bytes + std::ceil(stream_bytes / mss_bytes) * tcp_headers_bytes);
    }
};

} // namespace alltold
