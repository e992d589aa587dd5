// SPDX-License-Identifier: BSD-3-Clause
// What TCP lets a connection have under way that was quiet before: slow start.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>

namespace alltold::simulate {

/// A connection begins with a window of `initial_bytes`, which grows by whatever is acknowledged
/// (RFC 5681, section 3.1) and from `enough_bytes` on holds nothing back. Messages of one
/// connection go in order; one that does not fit into the window goes in pieces. Losses and the
/// receiver's window are not known here.
class TcpWindows {
  public:
    TcpWindows(int ranks, double initial_bytes, double enough_bytes)
        : ranks_(static_cast<std::uint64_t>(ranks)), initial_bytes_(initial_bytes),
          enough_bytes_(enough_bytes) {}

    /// Whether they hold anything back.
    bool matter() const { return initial_bytes_ > 0 && initial_bytes_ < enough_bytes_; }

    struct Piece {
        std::int32_t send;
        double bytes;
        bool first, last; ///< of its message
    };

    /// A message of more than 0 bytes between two ranks; take_piece then says what of it may go.
    void add(int from, int to, std::int32_t send, double bytes) {
        at(from, to).waiting.push_back({send, bytes, true, true});
    }
    void acknowledge(int from, int to, double bytes) {
        auto& connection = at(from, to);
        connection.window_bytes += bytes;
        connection.under_way_bytes -= bytes;
    }
    /// What may go now, one piece a call; nothing when that is all.
    std::optional<Piece> take_piece(int from, int to) {
        auto& [window, under_way, waiting] = at(from, to);
        // A window that is full but for rounding is full.
        const double room =
            window < enough_bytes_ ? window - under_way : std::numeric_limits<double>::infinity();
        if (waiting.empty() || room < 1e-6 * window)
            return std::nullopt;
        auto& next = waiting.front();
        auto piece = next;
        if (next.bytes > room) {
            piece.bytes = room;
            piece.last = false;
            next.bytes -= room;
            next.first = false;
        } else {
            waiting.pop_front();
        }
        under_way += piece.bytes;
        return piece;
    }

  private:
    struct Connection {
        double window_bytes = 0, under_way_bytes = 0;
        std::deque<Piece> waiting; ///< messages, or what is left of them
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
