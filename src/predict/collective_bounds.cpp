// SPDX-License-Identifier: BSD-3-Clause
// Bytes through the busiest host and over the backbone, for the four collectives.
#include "predict/collective_bounds.hpp"

#include <algorithm>
#include <cassert>

namespace alltold {
namespace {

/// Which rank's bytes must reach which in a scatter, gather or all-to-all-v.
MessageDigraph messages_of(const Specification& specification) {
    MessageDigraph messages(specification.ranks());
    const auto add = [&](int from, int to) {
        const auto size_bytes = specification.size_bytes(from, to);
        if (from != to && size_bytes > 0)
            messages.add({from, to, static_cast<double>(size_bytes)});
    };
    for (int rank = 0; rank < specification.ranks(); ++rank) {
        if (specification.collective() == Collective::scatter)
            add(specification.root(), rank);
        else if (specification.collective() == Collective::gather)
            add(rank, specification.root());
        else
            for (int peer = 0; peer < specification.ranks(); ++peer)
                add(rank, peer);
    }
    return messages;
}

} // namespace

double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          double goodput_bytes_per_s, const std::optional<Backbone>& backbone) {
    if (specification.ranks() < 2 || clusters.hosts() < 2)
        return 0;
    const auto size_bytes = static_cast<double>(specification.size_bytes());
    const bool crosses = backbone && clusters.count() > 1;
    if (specification.collective() == Collective::bcast) {
        const double nic_s = size_bytes / goodput_bytes_per_s;
        return crosses ? std::max(nic_s,
                                  size_bytes / backbone->goodput_bytes_per_s + backbone->latency_s)
                       : nic_s;
    }
    if (specification.collective() == Collective::alltoall) {
        return alltoall_bound_s(clusters, size_bytes, goodput_bytes_per_s, backbone);
    }
    const auto messages = messages_of(specification);
    const double nic_s = nic_bound_s(messages, clusters, goodput_bytes_per_s);
    return crosses ? std::max(nic_s, wan_bound_s(messages, clusters, *backbone)) : nic_s;
}

double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          const Network& network) {
    auto goodput = port_goodput(network);
    if (!goodput)
        return 0;
    auto backbone = backbone_of(network);
    if (network.links) {
        *goodput *= 1 + network.links->port.goodput_error;
        if (backbone) {
            backbone->goodput_bytes_per_s *= 1 + network.links->backbone->goodput_error;
            backbone->latency_s /= 1 + network.links->backbone->latency_error;
        }
    }
    const double bytes_s = collective_bound_s(specification, clusters, *goodput, backbone);
    const double burst_s = network.links ? network.links->port.burst_bytes / *goodput : 0;
    return bytes_s > 0 ? std::max(0.0, bytes_s - burst_s) + least_latency_s(network) : 0;
}

} // namespace alltold
