// SPDX-License-Identifier: BSD-3-Clause
#include "network/capacity.hpp"

namespace alltold {
namespace {

/// Bytes per second from the slope at the curve's end; empty if it does not grow.
std::optional<double> growth(const SizeCurve& curve) {
    if (curve.points().size() < 2)
        return std::nullopt;
    const auto &last = curve.points().back(), &before = curve.points()[curve.points().size() - 2];
    const double more_s = last.time_s.value - before.time_s.value;
    if (!(more_s > 0))
        return std::nullopt;
    return (last.size_bytes - before.size_bytes) / more_s;
}

} // namespace

HockneyFit local_network(const Network& network) {
    if (network.local)
        return *network.local;
    HockneyFit fit;
    fit.alpha_s = fit.latency_s = Estimate::exact(network.alltoall->network.alpha_s);
    fit.beta_s_per_byte = Estimate::exact(network.alltoall->network.beta_s_per_byte);
    return fit;
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

double least_latency_s(const Network& network) {
    if (network.links)
        return network.links->port.latency_s / (1 + network.links->latency_error);
    if (network.local || network.alltoall)
        return std::max(0.0, local_network(network).latency_s.low);
    return network.plogp ? std::max(0.0, network.plogp->L_s.low) : 0;
}

std::optional<Backbone> backbone_of(const Network& network) {
    if (!network.links || !network.links->backbone)
        return std::nullopt;
    const auto& backbone = *network.links->backbone;
    return Backbone{backbone.at_least ? INFINITY : backbone.goodput_bytes_per_s,
                    backbone.latency_s};
}

double most_pairs_of_a_host(const Clusters& clusters) {
    double most = clusters.one_rank_per_host() ? clusters.ranks() - 1 : 0;
    for (int host = 0; !clusters.one_rank_per_host() && host < clusters.hosts(); ++host) {
        const double own = clusters.ranks_of_host(host);
        most = std::max(most, own * (clusters.ranks() - own));
    }
    return most;
}

double alltoall_nic_bound_s(const Clusters& clusters, double size_bytes,
                            double goodput_bytes_per_s) {
    assert(goodput_bytes_per_s > 0);
    return most_pairs_of_a_host(clusters) * size_bytes / goodput_bytes_per_s;
}

double alltoall_wan_bound_s(const Clusters& clusters, double size_bytes, const Backbone& backbone) {
    assert(backbone.goodput_bytes_per_s > 0);
    double most_pairs = 0;
    for (const int size : clusters.sizes())
        most_pairs = std::max(most_pairs, static_cast<double>(size) * (clusters.ranks() - size));
    if (most_pairs == 0)
        return 0;
    return most_pairs * size_bytes / backbone.goodput_bytes_per_s + backbone.latency_s;
}

double alltoall_bound_s(const Clusters& clusters, double size_bytes, double goodput_bytes_per_s,
                        const std::optional<Backbone>& backbone) {
    const double nic_s = alltoall_nic_bound_s(clusters, size_bytes, goodput_bytes_per_s);
    return backbone && clusters.count() > 1
               ? std::max(nic_s, alltoall_wan_bound_s(clusters, size_bytes, *backbone))
               : nic_s;
}

} // namespace alltold
