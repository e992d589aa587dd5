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

/// The most bytes that some host and some cluster must send or receive of blocks of one byte.
struct Busiest {
    double port = 0, backbone = 0;
};

/// The messages that the busiest of n sends where all need what all have: 2 (n - 1) one-way ones at
/// least, whatever they combine, of which one of n sends an equal part or more.
double part_of_all(int n) {
    return 2. * (n - 1) / n;
}

int least_ranks_of_a_host(const Clusters& clusters) {
    int least = clusters.ranks();
    for (int host = 0; host < clusters.hosts(); ++host)
        least = std::min(least, clusters.ranks_of_host(host));
    return least;
}

/// Empty for collectives in which no blocks are copied or combined on the way.
std::optional<Busiest> busiest_of(Collective collective, const Clusters& clusters) {
    switch (collective) {
    case Collective::bcast:
    case Collective::reduce:
    case Collective::scan:
    case Collective::exscan:
        return Busiest{1, 1};
    case Collective::allreduce:
        return Busiest{part_of_all(clusters.hosts()), part_of_all(clusters.count())};
    case Collective::allgather:
    case Collective::reduce_scatter_block:
        return Busiest{static_cast<double>(clusters.ranks() - least_ranks_of_a_host(clusters)),
                       static_cast<double>(clusters.ranks() - std::ranges::min(clusters.sizes()))};
    default:
        return std::nullopt;
    }
}

/// At the upper ends of the rate's and the latency's intervals.
std::optional<Backbone> best_backbone(const Network& network) {
    auto backbone = backbone_of(network);
    if (backbone) {
        backbone->goodput_bytes_per_s *= 1 + network.links->backbone->goodput_error;
        backbone->latency_s /= 1 + network.links->backbone->latency_error;
    }
    return backbone;
}

} // namespace

double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          double goodput_bytes_per_s, const std::optional<Backbone>& backbone) {
    if (specification.ranks() < 2 || clusters.hosts() < 2)
        return 0;
    const auto size_bytes = static_cast<double>(specification.size_bytes());
    const bool crosses = backbone && clusters.count() > 1;
    if (specification.collective() == Collective::barrier)
        return crosses ? backbone->latency_s : 0;
    if (const auto busiest = busiest_of(specification.collective(), clusters)) {
        if (size_bytes == 0)
            return 0;
        const double nic_s = busiest->port * size_bytes / goodput_bytes_per_s;
        return crosses ? std::max(nic_s,
                                  busiest->backbone * size_bytes / backbone->goodput_bytes_per_s +
                                      backbone->latency_s)
                       : nic_s;
    }
    if (specification.collective() == Collective::alltoall)
        return alltoall_bound_s(clusters, size_bytes, goodput_bytes_per_s, backbone);
    const auto messages = messages_of(specification);
    const double nic_s = nic_bound_s(messages, clusters, goodput_bytes_per_s);
    return crosses ? std::max(nic_s, wan_bound_s(messages, clusters, *backbone)) : nic_s;
}

double period_bound_s(const Specification& specification, const Clusters& clusters,
                      double goodput_bytes_per_s, std::optional<Backbone> backbone, double work_s) {
    if (backbone)
        backbone->latency_s = 0;
    return std::max(work_s,
                    collective_bound_s(specification, clusters, goodput_bytes_per_s, backbone));
}

BoundParts bound_parts(const Specification& specification, const Clusters& clusters,
                       const Network& network) {
    const auto backbone = best_backbone(network);
    if (specification.collective() == Collective::barrier) {
        const double crossing_s = collective_bound_s(specification, clusters, 1, backbone);
        return clusters.hosts() > 1 ? BoundParts{crossing_s, least_latency_s(network)}
                                    : BoundParts{};
    }
    auto goodput = port_goodput(network);
    if (!goodput)
        return {};
    if (network.links)
        *goodput *= 1 + network.links->port.goodput_error;
    if (const auto work_s = network.loop_work_s)
        return {period_bound_s(specification, clusters, *goodput, backbone, *work_s) - *work_s};
    const double bytes_s = collective_bound_s(specification, clusters, *goodput, backbone);
    const double burst_s = network.links ? network.links->port.burst_bytes / *goodput : 0;
    return bytes_s > 0 ? BoundParts{std::max(0.0, bytes_s - burst_s), least_latency_s(network)}
                       : BoundParts{};
}

double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          const Network& network) {
    return bound_parts(specification, clusters, network).time_s();
}

} // namespace alltold
