// SPDX-License-Identifier: BSD-3-Clause
// Counts the messages in a stream of IP packets by looking at their TCP headers.
#include "lab/tcp_messages.hpp"

#include <algorithm>

namespace alltold::lab {

namespace {

std::uint32_t word(const unsigned char* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 |
           at[3];
}

} // namespace

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
