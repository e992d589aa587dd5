// SPDX-License-Identifier: BSD-3-Clause
// TCP slow start: how much an idle connection may have in flight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>

namespace alltold::simulate {

/// A connection starts with a window of `initial_bytes`, ten packets, which grows by what is
/// acknowledged (RFC 5681, section 3.1) and is unlimited from `enough_bytes` on. Messages of one
/// connection are sent in order; one that does not fit into the window is cut into segments. A
/// window counts packets: a short message that leaves at once takes as much of it as a full packet,
/// while those that wait for room leave together. Losses and the receiver's window are not
/// modelled.
class TcpWindows {
  public:
    TcpWindows(int ranks, double initial_bytes, double enough_bytes)
        : ranks_(static_cast<std::uint64_t>(ranks)), initial_bytes_(initial_bytes),
          enough_bytes_(enough_bytes) {}

    /// Whether windows delay anything.
    bool matter() const { return initial_bytes_ > 0 && initial_bytes_ < enough_bytes_; }

    struct Segment {
        std::int32_t send;
        double bytes;
        bool first, last;    ///< of its message
        double window_bytes; ///< what it takes of the window
    };

    /// Queues a message of more than 0 bytes between two ranks for take_segment.
    void add(int from, int to, std::int32_t send, double bytes) {
        auto& [window, under_way, waiting] = at(from, to);
        const double packet_bytes = initial_bytes_ / packets_at_first;
        const bool at_once = waiting.empty() && window - under_way >= packet_bytes;
        waiting.push_back(
            {send, bytes, true, true, at_once ? std::max(bytes, packet_bytes) : bytes});
    }
    /// Of a segment that take_segment gave.
    void acknowledge(int from, int to, double window_bytes) {
        auto& connection = at(from, to);
        connection.window_bytes += window_bytes;
        connection.under_way_bytes -= window_bytes;
    }
    /// The next segment that the window allows to be sent now, if any.
    std::optional<Segment> take_segment(int from, int to) {
        auto& [window, under_way, waiting] = at(from, to);
        // Rounding errors must not leave room in a full window.
        const double room =
            window < enough_bytes_ ? window - under_way : std::numeric_limits<double>::infinity();
        if (waiting.empty() || room < 1e-6 * window)
            return std::nullopt;
        auto& next = waiting.front();
        auto segment = next;
        if (next.window_bytes > room) {
            segment.bytes = segment.window_bytes = std::min(room, next.bytes);
            segment.last = false;
            next.bytes = next.window_bytes = next.bytes - segment.bytes;
            next.first = false;
        } else {
            waiting.pop_front();
        }
        under_way += segment.window_bytes;
        return segment;
    }

  private:
    static constexpr double packets_at_first = 10; // RFC 6928

    struct Connection {
        double window_bytes = 0, under_way_bytes = 0;
        std::deque<Segment> waiting; ///< messages, or their unsent rest
    };
    Connection& at(int from, int to) {
        const auto key = static_cast<std::uint64_t>(from) * ranks_ + static_cast<std::uint64_t>(to);
        return connections_.try_emplace(key, Connection{initial_bytes_, 0, {}}).first->second;
    }

    std::uint64_t ranks_;
    double initial_bytes_, enough_bytes_;
    std::unordered_map<std::uint64_t, Connection> connections_;
};

} // namespace alltold::simulate
