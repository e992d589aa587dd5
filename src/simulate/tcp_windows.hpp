// SPDX-License-Identifier: BSD-3-Clause
// TCP windows: how much a connection may have in flight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "network/links/link_network.hpp"

namespace alltold::simulate {

/// By which a window grows past its slow start (RFC 9438, section 4.3, where CUBIC follows Reno).
constexpr double packets_per_round_trip = 0.53;

/// A connection of a link network that is idle starts with its initial window, ten packets, which
/// grows by what is acknowledged (RFC 5681, section 3.1) up to the window at which slow start ends,
/// and from there slowly; one that was just used has that window. From `enough_bytes` on, a window
/// delays nothing. Messages of one connection are sent in order; one that does not fit into the
/// window is cut into segments. A window counts packets: a short message that leaves at once takes
/// as much of it as a full packet, while those that wait for room leave together. Losses and the
/// receiver's window are not modelled.
class TcpWindows {
  public:
    TcpWindows(int connections, const LinkNetwork& links, double enough_bytes)
        : packet_bytes_(links.initial_window_bytes / segments_at_first),
          most_bytes_(links.window_bytes > 0 ? links.window_bytes : enough_bytes),
          initial_bytes_(links.past_slow_start ? most_bytes_
                                               : std::min(links.initial_window_bytes, most_bytes_)),
          enough_bytes_(enough_bytes) {
        if (matter())
            connections_.resize(static_cast<std::size_t>(connections), {initial_bytes_});
    }

    /// Whether windows may delay anything.
    bool matter() const { return packet_bytes_ > 0 && initial_bytes_ < enough_bytes_; }

    /// Whether one had no room for all that was ready.
    bool delayed() const { return delayed_; }

    struct Segment {
        std::int32_t send;
        double bytes;
        bool first, last;    ///< of its message
        double window_bytes; ///< what it takes of the window
    };

    /// Queues a message of more than 0 bytes for take_segment.
    void add(std::int32_t connection, std::int32_t send, double bytes) {
        auto& [window, under_way, messages, sent] = at(connection);
        const bool at_once = sent == messages.size() && window - under_way >= packet_bytes_;
        messages.push_back(
            {send, bytes, true, true, at_once ? std::max(bytes, packet_bytes_) : bytes});
    }
    /// The receiver has a segment that take_segment gave.
    void acknowledge(std::int32_t connection, double window_bytes) {
        auto& [window, under_way, messages, sent] = at(connection);
        window = window < most_bytes_
                     ? std::min(window + window_bytes, most_bytes_)
                     : window + packets_per_round_trip * packet_bytes_ * window_bytes / window;
        under_way -= window_bytes;
    }
    /// The next segment that the window allows to be sent now, if any.
    std::optional<Segment> take_segment(std::int32_t connection) {
        auto& [window, under_way, messages, sent] = at(connection);
        if (sent == messages.size())
            return std::nullopt;
        const double room =
            window < enough_bytes_ ? window - under_way : std::numeric_limits<double>::infinity();
        auto& next = messages[sent];
        // Whole messages or large segments: else every message would cut those behind it into more
        // of them. Rounding errors must neither leave room in a full window nor take it.
        const double tolerance = 1e-6 * window;
        const double least = std::min(next.window_bytes, std::max(packet_bytes_, window / 4));
        if (room + tolerance < least) {
            delayed_ = true;
            return std::nullopt;
        }
        auto segment = next;
        if (room + tolerance < next.window_bytes) {
            segment.bytes = segment.window_bytes = room;
            segment.last = false;
            next.bytes = next.window_bytes = next.bytes - segment.bytes;
            next.first = false;
        } else {
            ++sent;
        }
        under_way += segment.window_bytes;
        return segment;
    }

  private:
    struct Connection {
        double window_bytes = 0, under_way_bytes = 0;
        std::vector<Segment> messages = {}; ///< of the first one not sent, the unsent rest
        std::size_t sent = 0;               ///< so many messages whole
    };
    Connection& at(std::int32_t connection) {
        return connections_[static_cast<std::size_t>(connection)];
    }

    double packet_bytes_, most_bytes_, initial_bytes_, enough_bytes_;
    std::vector<Connection> connections_;
    bool delayed_ = false;
};

} // namespace alltold::simulate
