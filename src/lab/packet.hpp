// SPDX-License-Identifier: BSD-3-Clause
// A packet on its way through a lab, and where the packets are kept.
#pragma once

#include <deque>

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

} // namespace alltold::lab
