// SPDX-License-Identifier: BSD-3-Clause
#include "lab/frames.hpp"

#include <algorithm>

namespace alltold::lab {
namespace {

std::uint32_t word(const unsigned char* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 |
           at[3];
}

} // namespace

int target_of(std::span<const unsigned char> frame, const Clusters& clusters) {
    constexpr std::size_t ip_bytes = 20, destination_at = ethernet_bytes + 16;
    if (frame.size() < ethernet_bytes + ip_bytes || frame[12] != 0x08 || frame[13] != 0x00)
        return -1;
    const auto* to = &frame[destination_at];
    const int c = to[2], host = to[3];
    if (to[0] != 198 || to[1] != 18 || c >= clusters.count() || host < 1 || host > clusters.size(c))
        return -1;
    return clusters.first(c) + host - 1;
}

void readdress(std::span<unsigned char> frame, const Clusters& clusters, int target) {
    const int c = clusters.cluster_of(target);
    const auto to = hardware_bytes(c, target - clusters.first(c) + 1);
    const auto from = hardware_bytes(c, gateway_host);
    std::copy(to.begin(), to.end(), frame.begin());
    std::copy(from.begin(), from.end(), frame.begin() + static_cast<std::ptrdiff_t>(to.size()));
}

Seen TcpMessages::see(std::span<const unsigned char> ip_packet) {
    constexpr int tcp = 6;
    constexpr unsigned syn = 0x02, psh = 0x08;
    if (ip_packet.size() < 40 || ip_packet[0] >> 4 != 4 || ip_packet[9] != tcp)
        return {};
    const std::size_t ip_bytes = (ip_packet[0] & 15U) * 4U;
    const std::size_t total = std::min<std::size_t>(ip_packet.size(), word(&ip_packet[0]) & 0xffff);
    if (total < ip_bytes + 20)
        return {};
    const unsigned char* segment = &ip_packet[ip_bytes];
    const std::size_t tcp_bytes = (segment[12] >> 4) * 4U;
    if (total < ip_bytes + tcp_bytes)
        return {};
    const auto payload = static_cast<std::uint32_t>(total - ip_bytes - tcp_bytes);
    const unsigned flags = segment[13];
    const std::uint32_t first = word(segment + 4);
    const Key key{std::uint64_t{word(&ip_packet[12])} << 32 | word(&ip_packet[16]), word(segment)};
    Flow& flow = flows_[key];
    if (flags & syn || !flow.known) {
        flow = {first + (flags & syn ? 1 : 0), true};
    }
    const std::uint32_t end = first + payload + (flags & syn ? 1 : 0);
    const bool is_new = static_cast<std::int32_t>(end - flow.next) > 0;
    if (is_new)
        flow.next = end;
    return {static_cast<int>(payload), payload > 0 && is_new && (flags & psh) != 0};
}

} // namespace alltold::lab
