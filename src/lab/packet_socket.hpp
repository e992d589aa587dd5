// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes Ethernet frames of many network devices, many frames at a time.
#pragma once

#include <memory>

#include <linux/if_packet.h>
#include <sys/socket.h>

#include "lab/frames.hpp"
#include "lab/process.hpp"

namespace alltold::lab {

/// A frame that has arrived.
struct Frame {
    int device;     ///< index in the list passed to `open`
    double real_ns; ///< when, by CLOCK_REALTIME; the kernel noted it
    Offload offload;
    std::span<const unsigned char> data;
};

/// IPv4 frames only. Checksums that the sender's kernel left open stay open, so that neither end
/// spends time on them.
class PacketSocket {
  public:
    /// For the network devices named `devices` of the namespace `netns`.
    static Result<std::unique_ptr<PacketSocket>> open(int netns,
                                                      const std::vector<std::string>& devices);
    ~PacketSocket();
    PacketSocket(const PacketSocket&) = delete;
    PacketSocket& operator=(const PacketSocket&) = delete;

    int fd() const { return socket_.get(); }

    /// Passes all frames that have arrived to `take`, in order.
    template <typename Take>
    void read(Take&& take) {
        for (Frame frame; peek(frame); release())
            take(frame);
    }

    /// Sends each packet out of the device of its target.
    void write(std::span<Packet* const> packets);

    /// How many frames were lost since the last call because they were not read in time.
    std::uint64_t missed();

  private:
    static constexpr std::size_t batch = 64;

    PacketSocket() = default;
    Status prepare(const std::vector<std::string>& devices);
    unsigned char* slot() const;
    bool peek(Frame& frame);
    void release();

    Fd socket_;
    std::vector<int> indices_;             ///< the kernel's, by device
    std::unordered_map<int, int> devices_; ///< by the kernel's index
    void* ring_ = nullptr;
    std::size_t next_ = 0; ///< slot of the ring
    bool missed_some_ = false;
    std::array<sockaddr_ll, batch> targets_{};
    std::array<std::array<iovec, 2>, batch> parts_{};
    std::array<mmsghdr, batch> messages_{};
};

} // namespace alltold::lab
