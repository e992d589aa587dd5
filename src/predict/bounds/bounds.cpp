// SPDX-License-Identifier: BSD-3-Clause
#include "predict/bounds/bounds.hpp"

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
                   const ClusterRates& goodput_bytes_per_s) {
    const auto between = between_hosts(messages, clusters);
    double longest_s = 0;
    for (int host = 0; host < clusters.hosts(); ++host) {
        const double rate = goodput_bytes_per_s.of(clusters.cluster_of_host(host));
        assert(rate > 0);
        longest_s = std::max(longest_s, between.most_bytes(host) / rate);
    }
    return longest_s;
}

double wan_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   const Backbone& backbone) {
    assert(messages.n() == clusters.ranks());
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
    double longest_s = 0;
    for (int c = 0; c < clusters.count(); ++c) {
        const auto i = static_cast<std::size_t>(c);
        const double rate = backbone.goodput_bytes_per_s.of(c);
        assert(rate > 0);
        longest_s = std::max(longest_s, std::max(leaves[i], enters[i]) / rate);
    }
    return longest_s + backbone.latency_s;
}

double busiest_port_s(const simulate::EventGraph& call, const Clusters& clusters,
                      const ClusterRates& goodput_bytes_per_s) {
    const auto hosts = static_cast<std::size_t>(clusters.hosts());
    std::vector<double> out(hosts), in(hosts);
    for (std::int32_t i = 0; i < call.size(); ++i) {
        const auto& node = call[i];
        if (!node.is_outgoing() && !node.is_incoming())
            continue;
        const auto host = clusters.host_of(node.rank);
        if (host != clusters.host_of(call[node.partner].rank))
            (node.is_outgoing() ? out : in)[static_cast<std::size_t>(host)] +=
                static_cast<double>(node.size_bytes);
    }
    double longest_s = 0;
    for (std::size_t host = 0; host < hosts; ++host)
        longest_s =
            std::max(longest_s,
                     std::max(out[host], in[host]) /
                         goodput_bytes_per_s.of(clusters.cluster_of_host(static_cast<int>(host))));
    return longest_s;
}

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

/// Times that hosts' ports and clusters' links need for blocks of one byte: bytes over a rate.
struct Needed {
    double port_s = 0, backbone_s = 0;
};

/// The messages that the busiest of n sends where all need what all have: 2 (n - 1) one-way ones at
/// least, whatever they combine, of which one of n sends an equal part or more.
double part_of_all(int n) {
    return 2. * (n - 1) / n;
}

int least_ranks_of_a_host(const Clusters& clusters, int cluster) {
    int least = clusters.ranks();
    for (int host = clusters.first_host(cluster); host < clusters.first_host(cluster + 1); ++host)
        least = std::min(least, clusters.ranks_of_host(host));
    return least;
}

/// Seconds for blocks of that size. Empty for collectives in which no blocks are copied or combined
/// on the way.
std::optional<Needed> needed_of(Collective collective, const Clusters& clusters, double size_bytes,
                                const ClusterRates& ports, const ClusterRates& backbone) {
    const int count = clusters.count();
    // All of them take a block in or send one, also the slowest.
    const Needed one{size_bytes / ports.lowest(count), size_bytes / backbone.lowest(count)};
    switch (collective) {
    case Collective::bcast:
    case Collective::reduce:
    case Collective::scan:
    case Collective::exscan:
        return one;
    case Collective::allreduce: {
        std::vector<int> hosts;
        for (int c = 0; c < count; ++c)
            hosts.push_back(clusters.hosts(c));
        const std::vector<int> once(static_cast<std::size_t>(count), 1);
        return Needed{
            std::max(one.port_s, part_of_all(clusters.hosts()) * size_bytes / ports.mean(hosts)),
            std::max(one.backbone_s, part_of_all(count) * size_bytes / backbone.mean(once))};
    }
    case Collective::allgather:
    case Collective::reduce_scatter_block: {
        Needed most;
        for (int c = 0; c < count; ++c) {
            const double of_host = clusters.ranks() - least_ranks_of_a_host(clusters, c);
            const double of_cluster = clusters.ranks() - clusters.size(c);
            most.port_s = std::max(most.port_s, of_host * size_bytes / ports.of(c));
            most.backbone_s = std::max(most.backbone_s, of_cluster * size_bytes / backbone.of(c));
        }
        return most;
    }
    default:
        return std::nullopt;
    }
}

} // namespace

double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          const ClusterRates& goodput_bytes_per_s,
                          const std::optional<Backbone>& backbone) {
    if (specification.ranks() < 2 || clusters.hosts() < 2)
        return 0;
    const auto size_bytes = static_cast<double>(specification.size_bytes());
    const bool crosses = backbone && clusters.count() > 1;
    if (specification.collective() == Collective::barrier)
        return crosses ? backbone->latency_s : 0;
    if (const auto needed =
            needed_of(specification.collective(), clusters, size_bytes, goodput_bytes_per_s,
                      crosses ? backbone->goodput_bytes_per_s : ClusterRates(INFINITY))) {
        if (size_bytes == 0)
            return 0;
        return crosses ? std::max(needed->port_s, needed->backbone_s + backbone->latency_s)
                       : needed->port_s;
    }
    if (specification.collective() == Collective::alltoall)
        return alltoall_bound_s(clusters, size_bytes, goodput_bytes_per_s, backbone);
    const auto messages = messages_of(specification);
    const double nic_s = nic_bound_s(messages, clusters, goodput_bytes_per_s);
    return crosses ? std::max(nic_s, wan_bound_s(messages, clusters, *backbone)) : nic_s;
}

double period_bound_s(const Specification& specification, const Clusters& clusters,
                      const ClusterRates& goodput_bytes_per_s, std::optional<Backbone> backbone,
                      double work_s) {
    if (backbone)
        backbone->latency_s = 0;
    return std::max(work_s,
                    collective_bound_s(specification, clusters, goodput_bytes_per_s, backbone));
}

BoundParts bound_parts(const Specification& specification, const Clusters& clusters,
                       const Network& network) {
    const auto best =
        network.links ? std::optional(at_best(network.links->on(clusters))) : std::nullopt;
    const auto backbone = best ? backbone_of(*best) : std::nullopt;
    if (specification.collective() == Collective::barrier) {
        const double crossing_s = collective_bound_s(specification, clusters, 1, backbone);
        return clusters.hosts() > 1 ? BoundParts{crossing_s, least_latency_s(network)}
                                    : BoundParts{};
    }
    const auto rates = best ? port_rates(*best) : port_rates(network, clusters);
    if (!rates)
        return {};
    if (const auto work_s = network.loop_work_s)
        return {period_bound_s(specification, clusters, *rates, backbone, *work_s) - *work_s};
    const double bytes_s = collective_bound_s(specification, clusters, *rates, backbone);
    double burst_s = 0;
    for (int c = 0; best && c < clusters.count(); ++c)
        burst_s = std::max(burst_s, best->port_of(c).burst_bytes / rates->of(c));
    return bytes_s > 0 ? BoundParts{std::max(0.0, bytes_s - burst_s), least_latency_s(network)}
                       : BoundParts{};
}

double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          const Network& network) {
    return bound_parts(specification, clusters, network).time_s();
}

} // namespace alltold
