// SPDX-License-Identifier: BSD-3-Clause
// Bytes through the busiest host and over the backbone, for the four collectives.
#include "predict/collective_bounds.hpp"

#include <algorithm>
#include <cassert>

#include "predict/alltoall_models.hpp"

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

/// Bytes per second by which a curve grows at its end; nothing where it does not.
std::optional<double> growth(const SizeCurve& curve) {
    if (curve.points().size() < 2)
        return std::nullopt;
    const auto &last = curve.points().back(), &before = curve.points()[curve.points().size() - 2];
    if (!(last.time_s > before.time_s))
        return std::nullopt;
    return (last.size_bytes - before.size_bytes) / (last.time_s - before.time_s);
}

} // namespace

double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          double goodput_bytes_per_s, const std::optional<Backbone>& backbone) {
    if (specification.ranks() < 2)
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
        const double nic_s =
            alltoall_nic_bound_s(specification.ranks(), size_bytes, goodput_bytes_per_s);
        return crosses ? std::max(nic_s, alltoall_wan_bound_s(clusters, size_bytes, *backbone))
                       : nic_s;
    }
    const auto messages = messages_of(specification);
    const double nic_s = nic_bound_s(messages, goodput_bytes_per_s);
    return crosses ? std::max(nic_s, wan_bound_s(messages, clusters, *backbone)) : nic_s;
}

std::optional<double> port_goodput(const Network& network) {
    if (network.links)
        return network.links->port.goodput_bytes_per_s;
    if (network.local || network.alltoall)
        return 1 / local_network(network).beta_s_per_byte.value;
    if (network.plogp)
        return growth(network.plogp->g_s);
    return network.cluster ? growth(network.cluster->g_r) : std::nullopt;
}

std::optional<Backbone> backbone_of(const Network& network) {
    if (!network.links || !network.links->backbone)
        return std::nullopt;
    return Backbone{network.links->backbone->goodput_bytes_per_s,
                    network.links->backbone->latency_s};
}

} // namespace alltold
