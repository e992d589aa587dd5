// SPDX-License-Identifier: BSD-3-Clause
// A network as links with rates, delays and finite buffers: one cluster or several on a backbone.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "topology/clusters.hpp"

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
    bool operator==(const Link&) const = default;
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

    /// From the switch to a host and back; latency host to host. Where clusters differ, what suits
    /// all of them: the lowest rate, the longest latency, the smallest queue.
    Link port;
    /// One per direction and cluster; latency added to a port's. Where pairs of clusters differ,
    /// likewise.
    std::optional<Link> backbone;
    double start_up_s = 0; ///< the processor's part of one message, at either end
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
    /// Those of `ports` and `paths`, of which a call has all or some; empty where nothing differs.
    std::optional<Clusters> of_clusters = {};
    /// By cluster, where they differ; others have `port`.
    std::vector<Link> ports = {};
    /// By pair of clusters, where they differ; others have `backbone`. In the order of path_index:
    /// 0 and 1, 0 and 2, 1 and 2, 0 and 3, ...
    std::vector<Link> paths = {};

    /// Those of `of_clusters` on which a call of these clusters is: its place_of, or the first ones
    /// where it has none.
    std::vector<int> places_of(const Clusters& call) const;
    /// As that call sees them.
    LinkNetwork on(const Clusters& call) const;

    static std::size_t path_index(int a, int b) {
        const auto low = static_cast<std::size_t>(std::min(a, b));
        const auto high = static_cast<std::size_t>(std::max(a, b));
        return high * (high - 1) / 2 + low;
    }
    const Link& port_of(int cluster) const {
        const auto c = static_cast<std::size_t>(cluster);
        return c < ports.size() ? ports[c] : port;
    }
    /// Between two clusters; the backbone must be known.
    const Link& path(int a, int b) const {
        return a != b && path_index(a, b) < paths.size() ? paths[path_index(a, b)] : *backbone;
    }
    /// The number of clusters of which all paths are in `paths`; 0 without any.
    int clusters_with_paths() const {
        int clusters = 0;
        while (path_index(clusters, clusters + 1) < paths.size())
            ++clusters;
        return clusters > 0 ? clusters + 1 : 0;
    }
    /// The link of a cluster to all others of the first `clusters`: it carries as much as the
    /// fastest of its paths, and all that they carry.
    const Link& uplink(int cluster, int clusters) const {
        const Link* fastest = nullptr;
        for (int other = 0; other < clusters; ++other)
            if (other != cluster && (!fastest || path(cluster, other).goodput_bytes_per_s >
                                                     fastest->goodput_bytes_per_s))
                fastest = &path(cluster, other);
        return fastest ? *fastest : *backbone;
    }
    /// Whether a pair of the first `clusters` has a link of its own: a path slower than both ends'
    /// uplinks is none of them.
    bool has_own_link(int a, int b, int clusters) const {
        const double rate = path(a, b).goodput_bytes_per_s;
        return rate < uplink(a, clusters).goodput_bytes_per_s &&
               rate < uplink(b, clusters).goodput_bytes_per_s;
    }
    /// One way between hosts of two clusters, or of one: the ports' part, and all of it.
    double ports_latency_s(int a, int b) const {
        return (port_of(a).latency_s + port_of(b).latency_s) / 2;
    }
    double latency_between_s(int a, int b) const {
        return ports_latency_s(a, b) + (a != b ? path(a, b).latency_s : 0);
    }
    /// Calls `change` for each link.
    template <typename Change>
    void change_links(Change&& change) {
        change(port);
        if (backbone)
            change(*backbone);
        for (auto* links : {&ports, &paths})
            for (auto& link : *links)
                change(link);
    }

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
