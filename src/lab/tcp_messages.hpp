// SPDX-License-Identifier: BSD-3-Clause
// Counts the messages in a stream of IP packets by looking at their TCP headers.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

namespace alltold::lab {

/// What one packet adds to the counters.
struct Seen {
    int payload_bytes = 0;     ///< TCP payload, retransmitted or not; 0 for anything else
    bool ends_message = false; ///< PSH on new payload
};

/// A message counts when TCP sets PSH, on the last segment of a write. Retransmissions do not count
/// again. A write that finds the socket full, or is longer than half of the window, is pushed
/// several times and counts once for each.
class TcpMessages {
  public:
    Seen see(std::span<const unsigned char> ip_packet);

  private:
    struct Flow {
        std::uint32_t next = 0; ///< sequence number after the highest byte seen
        bool known = false;
    };
    struct Key {
        std::uint64_t hosts;
        std::uint32_t ports;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            return (key.hosts ^ (std::uint64_t{key.ports} << 17)) * 0x9E3779B97F4A7C15ULL;
        }
    };
    std::unordered_map<Key, Flow, Hash> flows_;
};

} // namespace alltold::lab
