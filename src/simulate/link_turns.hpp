// SPDX-License-Identifier: BSD-3-Clause
// Hosts' links to their switches: in which order what the hosts send leaves.
#pragma once

#include <cstddef>
#include <span>

#include "simulate/tcp_windows.hpp"

namespace alltold::simulate {

/// TCP keeps few packets of a connection in the queue of its host's link (Linux: small queues), so
/// connections with more to send take turns. A turn is what a connection may put there at once: a
/// millisecond's full packets, two at least. Less than a packet goes there only while nothing else
/// of its connection waits (Linux: automatic corking), so the last packet of a message takes a turn
/// of its own, and short messages that wait for a turn leave together. The device takes two packets
/// from the queue before they leave. A connection that is alone sends without turns until another
/// one joins. To save events, turns are longer while more waits, up to a quarter of it, and those
/// of calls of many messages are coarse: of one message each, up to eight packets.
///
/// Where packets are not known, a turn is a whole message, and the ranks of a host take turns.
///
/// Each link is a token bucket: after a pause it carries as many bytes at once as its burst allows.
/// Bytes are LinkNetwork::with_headers. Calls come in order of time.
class LinkTurns {
  public:
    /// Sums of bytes and times have errors, relative.
    static constexpr double rounding = 1e-9;

    /// Turns of hosts with these ports, for a call of so many messages. A flow is a connection, or
    /// a rank where packets are not known.
    LinkTurns(std::span<const Link* const> ports, std::size_t flows, int messages,
              const LinkNetwork& links);

    /// The bytes that leave at one go.
    struct Part {
        TcpWindows::Segment segment; ///< its bytes are those of the whole segment
        double bytes = 0;
        double starts_s = 0, ends_s = 0; ///< on the link
        double taken_s = 0;              ///< when the device can take what comes next
        bool fixed = false;              ///< what joins does not end it earlier
    };

    /// A segment waits for its turn.
    void join(std::size_t host, std::size_t flow, const TcpWindows::Segment& segment, double bytes);
    /// Whether anything waits to leave after the current part.
    bool waits(std::size_t host) const;
    /// The part that has not been ended.
    const std::optional<Part>& current(std::size_t host) const { return hosts_[host].part; }
    /// On a link without a part, where something waits.
    const Part& begin(std::size_t host, double now_s);
    /// Ends the current part, if it is not fixed, with the turn under way. Returns whether it ends
    /// earlier.
    bool shorten(std::size_t host, double now_s);
    /// The device has taken the current part.
    void end(std::size_t host);

  private:
    static constexpr std::int32_t none = -1;
    struct Message {
        TcpWindows::Segment segment = {};
        double bytes = 0;         ///< that were not taken
        std::int32_t next = none; ///< of its flow
    };
    /// Its messages that were not taken whole.
    struct Flow {
        std::int32_t first = none, last = none;
        double bytes = 0;
    };
    struct Turn {
        std::size_t flow = 0;
        double bytes = 0; ///< that were not taken
    };
    struct Host {
        double bytes_per_s = 0, burst_s = 0;
        double least_turn_bytes = 0, device_s = 0;
        std::vector<Turn> turns = {}; ///< few; the first one is under way if there is a part
        std::optional<Part> part = {};
        double sent_s = 0; ///< when the tokens for everything sent are available
    };
    Message& message(std::int32_t i) { return messages_[static_cast<std::size_t>(i)]; }
    /// The bytes that the flow may put into the host's queue at once.
    double turn_bytes(const Flow& flow, const Host& host) const;
    bool has_packets() const { return packet_bytes_ > 0; }

    double packet_bytes_; ///< 0: not known
    bool coarse_;
    std::vector<Host> hosts_;
    std::vector<Flow> flows_;
    std::vector<Message> messages_;
    std::vector<std::int32_t> idle_messages_;
};

} // namespace alltold::simulate
