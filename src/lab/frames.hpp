// SPDX-License-Identifier: BSD-3-Clause
// Headers of Ethernet frames: the host they are for, and TCP messages; packets on their way through
// a lab.
#pragma once

#include <deque>
#include <unordered_map>

#include "lab/options.hpp"

namespace alltold::lab {

/// The work the kernel has left to do for a packet, such as its checksum: a struct virtio_net_hdr,
/// whose header does not compile as C++.
using Offload = std::array<unsigned char, 10>;

struct Packet {
    int from = 0, to = 0;  ///< hosts
    int bytes = 0;         ///< of the frame
    int payload_bytes = 0; ///< see Seen; 0 within a cluster
    double due_ns = 0;     ///< when its last bit leaves the last link
    Offload offload;
    std::array<unsigned char, frame_bytes> data;

    std::span<const unsigned char> frame() const {
        return {data.data(), static_cast<std::size_t>(bytes)};
    }
};

/// Packets that are used again, so that forwarding does not allocate.
class PacketPool {
  public:
    Packet* take() {
        if (free_.empty())
            return &all_.emplace_back();
        Packet* packet = free_.back();
        free_.pop_back();
        return packet;
    }
    void give_back(Packet* packet) { free_.push_back(packet); }

  private:
    std::deque<Packet> all_;
    std::vector<Packet*> free_;
};

constexpr int ethernet_bytes = 14; ///< header of a frame

/// The host with the frame's IPv4 destination (see data_address), or -1 if there is none.
int target_of(std::span<const unsigned char> frame, const Clusters& clusters);

/// Sets the frame's hardware addresses: from the gateway of the target's cluster to the target.
void readdress(std::span<unsigned char> frame, const Clusters& clusters, int target);

/// The amounts one packet adds to the counters.
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
