// SPDX-License-Identifier: BSD-3-Clause
// Bytes through the bottleneck, over its rate.
#include "predict/bounds/bounds.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

namespace alltold {

MessageDigraph between_hosts(const MessageDigraph& messages, const Clusters& clusters) {
    if (clusters.one_rank_per_host())
        return messages;
    assert(messages.n() == clusters.ranks());
    MessageDigraph between(clusters.hosts());
    for (const auto& [from, to, size_bytes] : messages.arcs())
        if (const int out = clusters.host_of(from), in = clusters.host_of(to); out != in)
            between.add({out, in, size_bytes});
    return between;
}

double nic_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   double goodput_bytes_per_s) {
    assert(goodput_bytes_per_s > 0);
    const auto between = between_hosts(messages, clusters);
    return std::max(between.most_sent_bytes(), between.most_received_bytes()) / goodput_bytes_per_s;
}

double wan_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   const Backbone& backbone) {
    assert(messages.n() == clusters.ranks() && backbone.goodput_bytes_per_s > 0);
    std::vector<double> leaves(static_cast<std::size_t>(clusters.count()));
    std::vector<double> enters(leaves.size());
    bool crosses = false;
    for (const auto& arc : messages.arcs()) {
        const int from = clusters.cluster_of(arc.from);
        const int to = clusters.cluster_of(arc.to);
        if (from == to)
            continue;
        crosses = true;
        leaves[static_cast<std::size_t>(from)] += arc.size_bytes;
        enters[static_cast<std::size_t>(to)] += arc.size_bytes;
    }
    if (!crosses)
        return 0;
    const double most_bytes = std::max(std::ranges::max(leaves), std::ranges::max(enters));
    return most_bytes / backbone.goodput_bytes_per_s + backbone.latency_s;
}

} // namespace alltold
