// SPDX-License-Identifier: BSD-3-Clause
// Finds the host that an Ethernet frame is for and addresses the frame to it, as a router would.
#include "lab/frames.hpp"

#include <algorithm>

#include "lab/options.hpp"

namespace alltold::lab {

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

} // namespace alltold::lab
