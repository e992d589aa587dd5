// SPDX-License-Identifier: BSD-3-Clause
// The rates of ports and the backbone, and the bounds they set for an all-to-all.
#pragma once

#include "network/network.hpp"

namespace alltold {

/// Payload bytes per second: one rate for all clusters, or some with rates of their own.
class ClusterRates {
  public:
    ClusterRates(double others = 0, std::vector<double> own = {})
        : others_(others), own_(std::move(own)) {}

    /// That cluster's; those behind the last one that has its own have the others'.
    double of(int cluster) const {
        const auto c = static_cast<std::size_t>(cluster);
        return c < own_.size() ? own_[c] : others_;
    }
    /// The lowest of the first `clusters`.
    double lowest(int clusters) const;
    /// The mean of these clusters' rates, each as often as `weights` says.
    double mean(std::span<const int> weights) const;

  private:
    double others_;
    std::vector<double> own_;
};

/// Links between clusters: payload bytes per second into and out of each, and one-way delay, the
/// least where pairs differ.
struct Backbone {
    ClusterRates goodput_bytes_per_s = 0; ///< above 0, may be infinite
    double latency_s = 0;
};

/// alpha and beta with intervals: from the ping-pong, or those the signature is relative to.
HockneyFit local_network(const Network& network);

/// Payload bytes per second of a host's link: from the port, else 1/beta, else from the slope of
/// the gaps of pLogP or of the cluster model; empty if `network` has none of them. The lowest where
/// clusters differ.
std::optional<double> port_goodput(const Network& network);
/// The rates of the hosts of each of a call's clusters.
std::optional<ClusterRates> port_rates(const Network& network, const Clusters& clusters);
ClusterRates port_rates(const LinkNetwork& links);

/// The least one-way time of a message within a cluster, at the low end of its interval: from the
/// links, else the smallest message measured, else pLogP's L; 0 if `network` has none of them.
double least_latency_s(const Network& network);

/// The backbone of the links for a call on these clusters, if known; its rate is infinite where
/// only the least is known that it carries, which bounds nothing. Where pairs of clusters differ, a
/// cluster sends what its uplink and the links of its own pairs carry.
std::optional<Backbone> backbone_of(const Network& network, const Clusters& clusters);
std::optional<Backbone> backbone_of(const LinkNetwork& links);
/// At the upper ends of the rates' and the latencies' intervals.
LinkNetwork at_best(LinkNetwork links);

/// The largest number, over all hosts, of pairs of a rank on that host with a rank on another; n-1
/// for n ranks with one rank per host.
double most_pairs_of_a_host(const Clusters& clusters);

/// Least time of an all-to-all of m bytes per pair of ranks: the bytes of all pairs that a host has
/// with other hosts, over its port's goodput; (n-1) m / goodput with one rank on each of n hosts.
double alltoall_nic_bound_s(const Clusters& clusters, double size_bytes,
                            const ClusterRates& goodput_bytes_per_s);

/// Least time in which the clusters can exchange m bytes per pair: the bytes that must leave the
/// busiest cluster, over the backbone's goodput there, plus one latency; 0 when nothing crosses.
double alltoall_wan_bound_s(const Clusters& clusters, double size_bytes, const Backbone& backbone);

/// The larger of both; the first alone without a backbone or with one cluster.
double alltoall_bound_s(const Clusters& clusters, double size_bytes,
                        const ClusterRates& goodput_bytes_per_s,
                        const std::optional<Backbone>& backbone);

} // namespace alltold
