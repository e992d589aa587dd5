// SPDX-License-Identifier: BSD-3-Clause
#include "lab/packet_socket.hpp"

#include <algorithm>
#include <atomic>

#include <arpa/inet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sys/mman.h>

namespace alltold::lab {

namespace {

// The ring holds what arrives while the relay may not run; a longer pause shows in `missed`.
constexpr unsigned slot_bytes = 2048, slots = 8192, block_bytes = 1 << 16;
constexpr unsigned ring_bytes = slots * slot_bytes;
static_assert(TPACKET2_HDRLEN + 16 + sizeof(Offload) + frame_bytes <= slot_bytes);

Status set(int fd, int option, int value, const char* what) {
    if (setsockopt(fd, SOL_PACKET, option, &value, sizeof value) != 0)
        return system_error(what);
    return Done{};
}

} // namespace

Result<std::unique_ptr<PacketSocket>> PacketSocket::open(int netns,
                                                         const std::vector<std::string>& devices) {
    std::unique_ptr<PacketSocket> made(new PacketSocket);
    if (auto done = inside_network(netns, [&] { return made->prepare(devices); }); !done)
        return done.error();
    return made;
}

PacketSocket::~PacketSocket() {
    if (ring_)
        munmap(ring_, ring_bytes);
}

Status PacketSocket::prepare(const std::vector<std::string>& devices) {
    // Protocol 0: nothing arrives until everything is set.
    socket_ = Fd(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));
    if (!socket_.open())
        return system_error("packet sockets, which the lab's switches need");
    const int fd = socket_.get();
    for (const auto& device : devices) {
        const auto index = static_cast<int>(if_nametoindex(device.c_str()));
        if (index == 0)
            return system_error("the switch port " + device);
        devices_[index] = static_cast<int>(indices_.size());
        indices_.push_back(index);
    }
    ALLTOLD_TRY_DONE(set(fd, PACKET_VERSION, TPACKET_V2, "the version of a packet ring"));
    ALLTOLD_TRY_DONE(set(fd, PACKET_VNET_HDR, 1, "checksums of packet sockets"));
    ALLTOLD_TRY_DONE(set(fd, PACKET_QDISC_BYPASS, 1, "sending from packet sockets"));
    ALLTOLD_TRY_DONE(set(fd, PACKET_IGNORE_OUTGOING, 1, "the direction of packet sockets"));
    const tpacket_req request{block_bytes, ring_bytes / block_bytes, slot_bytes, slots};
    if (setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &request, sizeof request) != 0)
        return system_error("memory for a packet ring");
    void* at = mmap(nullptr, ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return system_error("mapping a packet ring");
    ring_ = at;
    sockaddr_ll all{};
    all.sll_family = AF_PACKET;
    all.sll_protocol = htons(ETH_P_IP);
    if (bind(fd, reinterpret_cast<const sockaddr*>(&all), sizeof all) != 0)
        return system_error("binding a packet socket");
    for (std::size_t i = 0; i < batch; ++i) {
        targets_[i].sll_family = AF_PACKET;
        targets_[i].sll_protocol = htons(ETH_P_IP);
        auto& header = messages_[i].msg_hdr;
        header.msg_name = &targets_[i];
        header.msg_namelen = sizeof targets_[i];
        header.msg_iov = parts_[i].data();
        header.msg_iovlen = parts_[i].size();
    }
    return Done{};
}

unsigned char* PacketSocket::slot() const {
    return static_cast<unsigned char*>(ring_) + next_ * slot_bytes;
}

bool PacketSocket::peek(Frame& frame) {
    for (;; release()) {
        auto* header = reinterpret_cast<tpacket2_hdr*>(slot());
        const auto status = std::atomic_ref(header->tp_status).load(std::memory_order_acquire);
        if (!(status & TP_STATUS_USER))
            return false;
        missed_some_ = missed_some_ || (status & TP_STATUS_LOSING);
        const auto* from =
            reinterpret_cast<const sockaddr_ll*>(slot() + TPACKET_ALIGN(sizeof(tpacket2_hdr)));
        const auto found = devices_.find(from->sll_ifindex);
        if (found == devices_.end() || header->tp_snaplen != header->tp_len)
            continue;
        frame.device = found->second;
        frame.real_ns = header->tp_sec * 1e9 + header->tp_nsec;
        const unsigned char* data = slot() + header->tp_mac;
        std::copy_n(data - frame.offload.size(), frame.offload.size(), frame.offload.begin());
        frame.data = {data, header->tp_len};
        return true;
    }
}

void PacketSocket::release() {
    std::atomic_ref(reinterpret_cast<tpacket2_hdr*>(slot())->tp_status)
        .store(TP_STATUS_KERNEL, std::memory_order_release);
    next_ = (next_ + 1) % slots;
}

void PacketSocket::write(std::span<Packet* const> packets) {
    while (!packets.empty()) {
        const std::size_t count = std::min(packets.size(), batch);
        for (std::size_t i = 0; i < count; ++i) {
            Packet& packet = *packets[i];
            targets_[i].sll_ifindex = indices_[static_cast<std::size_t>(packet.to)];
            parts_[i] = {iovec{packet.offload.data(), packet.offload.size()},
                         iovec{packet.data.data(), static_cast<std::size_t>(packet.bytes)}};
        }
        const int sent = sendmmsg(fd(), messages_.data(), static_cast<unsigned>(count), 0);
        // A host that is shutting down refuses packets; there is no one to report that to.
        packets = packets.subspan(sent > 0 ? static_cast<std::size_t>(sent) : 1);
    }
}

std::uint64_t PacketSocket::missed() {
    if (!missed_some_)
        return 0;
    missed_some_ = false;
    tpacket_stats stats{};
    socklen_t size = sizeof stats;
    getsockopt(fd(), SOL_PACKET, PACKET_STATISTICS, &stats, &size);
    return stats.tp_drops;
}

} // namespace alltold::lab
