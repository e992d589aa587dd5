// SPDX-License-Identifier: BSD-3-Clause
// Bytes in and out of each host.
#include "predict/bounds/busiest_port.hpp"

#include <algorithm>
#include <vector>

namespace alltold {

double busiest_port_bytes(const simulate::EventGraph& call, const Clusters& clusters) {
    const auto hosts = static_cast<std::size_t>(clusters.hosts());
    std::vector<double> out(hosts), in(hosts);
    for (std::int32_t i = 0; i < call.size(); ++i) {
        const auto& node = call[i];
        if (!node.is_outgoing() && !node.is_incoming())
            continue;
        const auto host = clusters.host_of(node.rank);
        if (host != clusters.host_of(node.partner))
            (node.is_outgoing() ? out : in)[static_cast<std::size_t>(host)] +=
                static_cast<double>(node.size_bytes);
    }
    return std::max(std::ranges::max(out), std::ranges::max(in));
}

} // namespace alltold
