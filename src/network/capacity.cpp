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

ClusterRates port_rates(const LinkNetwork& links) {
    std::vector<double> own;
    for (const auto& port : links.ports)
        own.push_back(port.goodput_bytes_per_s);
    return {links.port.goodput_bytes_per_s, std::move(own)};
}

std::optional<ClusterRates> port_rates(const Network& network, const Clusters& clusters) {
    if (network.links)
        return port_rates(network.links->on(clusters));
    const auto goodput = port_goodput(network);
    return goodput ? std::optional<ClusterRates>(*goodput) : std::nullopt;
}

double least_latency_s(const Network& network) {
    if (network.links) {
        double least_s = network.links->port.latency_s;
        for (const auto& port : network.links->ports)
            least_s = std::min(least_s, port.latency_s);
        return least_s / (1 + network.links->latency_error);
    }
    if (network.local || network.alltoall)
        return std::max(0.0, local_network(network).latency_s.low);
    return network.plogp ? std::max(0.0, network.plogp->L_s.low) : 0;
}

std::optional<Backbone> backbone_of(const Network& network, const Clusters& clusters) {
    return network.links ? backbone_of(network.links->on(clusters)) : std::nullopt;
}

std::optional<Backbone> backbone_of(const LinkNetwork& links) {
    if (!links.backbone)
        return std::nullopt;
    const auto rate_of = [](const Link& link) {
        return link.at_least ? INFINITY : link.goodput_bytes_per_s;
    };
    double least_s = links.backbone->latency_s;
    for (const auto& path : links.paths)
        least_s = std::min(least_s, path.latency_s);
    std::vector<double> own;
    const int clusters = links.clusters_with_paths();
    for (int c = 0; c < clusters; ++c) {
        own.push_back(rate_of(links.uplink(c, clusters)));
        for (int other = 0; other < clusters; ++other)
            if (other != c && links.has_own_link(c, other, clusters))
                own.back() += rate_of(links.path(c, other));
    }
    return Backbone{{rate_of(*links.backbone), std::move(own)}, least_s};
}

LinkNetwork at_best(LinkNetwork links) {
    links.change_links([](Link& link) {
        link.goodput_bytes_per_s *= 1 + link.goodput_error;
        link.latency_s /= 1 + link.latency_error;
    });
    return links;
}

double ClusterRates::lowest(int clusters) const {
    double lowest = of(0);
    for (int c = 1; c < clusters; ++c)
        lowest = std::min(lowest, of(c));
    return lowest;
}

double ClusterRates::mean(std::span<const int> weights) const {
    if (own_.empty())
        return others_; // a sum would round
    double sum = 0, weight = 0;
    for (std::size_t c = 0; c < weights.size(); ++c) {
        sum += weights[c] * of(static_cast<int>(c));
        weight += weights[c];
    }
    return sum / weight;
}

double most_pairs_of_a_host(const Clusters& clusters) {
    return alltoall_nic_bound_s(clusters, 1, 1);
}

double alltoall_nic_bound_s(const Clusters& clusters, double size_bytes,
                            const ClusterRates& goodput_bytes_per_s) {
    double longest_s = 0;
    for (int c = 0; c < clusters.count(); ++c) {
        double most = clusters.one_rank_per_host() ? clusters.ranks() - 1 : 0;
        for (int host = clusters.first_host(c);
             !clusters.one_rank_per_host() && host < clusters.first_host(c + 1); ++host) {
            const double own = clusters.ranks_of_host(host);
            most = std::max(most, own * (clusters.ranks() - own));
        }
        assert(goodput_bytes_per_s.of(c) > 0);
        longest_s = std::max(longest_s, most * size_bytes / goodput_bytes_per_s.of(c));
    }
    return longest_s;
}

double alltoall_wan_bound_s(const Clusters& clusters, double size_bytes, const Backbone& backbone) {
    double longest_s = 0;
    for (int c = 0; c < clusters.count() && clusters.count() > 1; ++c) {
        const double rate = backbone.goodput_bytes_per_s.of(c), size = clusters.size(c);
        assert(rate > 0);
        longest_s = std::max(longest_s, size * (clusters.ranks() - size) * size_bytes / rate);
    }
    return clusters.count() > 1 ? longest_s + backbone.latency_s : 0;
}

double alltoall_bound_s(const Clusters& clusters, double size_bytes,
                        const ClusterRates& goodput_bytes_per_s,
                        const std::optional<Backbone>& backbone) {
    const double nic_s = alltoall_nic_bound_s(clusters, size_bytes, goodput_bytes_per_s);
    return backbone && clusters.count() > 1
               ? std::max(nic_s, alltoall_wan_bound_s(clusters, size_bytes, *backbone))
               : nic_s;
}

} // namespace alltold
