// SPDX-License-Identifier: BSD-3-Clause
// Physical lower bounds of a message exchange, and of a collective by any algorithm.
#pragma once

#include "network/capacity.hpp"
#include "predict/bounds/digraph.hpp"
#include "simulate/event_graph.hpp"

namespace alltold {

/// The messages that leave their host, from host to host instead of rank to rank. `clusters` holds
/// messages.n() ranks.
MessageDigraph between_hosts(const MessageDigraph& messages, const Clusters& clusters);

/// Least time in which hosts with full-duplex links of goodput_bytes_per_s > 0 (payload, headers
/// taken off) can move `messages`: the bytes that must leave or enter the busiest host, over its
/// goodput. Also holds with forwarding. `clusters` holds messages.n() ranks.
double nic_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   const ClusterRates& goodput_bytes_per_s);

/// Least time in which the clusters can exchange the inter-cluster part of `messages`: the bytes
/// that must leave or enter the busiest cluster, over the backbone's goodput there, plus one
/// latency; 0 if nothing crosses. `clusters` holds messages.n() ranks.
double wan_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   const Backbone& backbone);

/// How long the busiest port takes for the bytes that hosts send to other hosts or receive from
/// them in the call, whose ranks `clusters` holds.
double busiest_port_s(const simulate::EventGraph& call, const Clusters& clusters,
                      const ClusterRates& goodput_bytes_per_s);

/// The larger of NIC bound and WAN bound in seconds, with links of goodput_bytes_per_s > 0 each
/// way, one for all ranks of a host, and a backbone where there is one; 0 on one host and for no
/// bytes. `clusters` holds the specification's ranks. Of m bytes per block, a host or cluster sends
/// or receives at least
/// - bcast, reduce, scan, exscan: m, since blocks may be copied and combined anywhere;
/// - allreduce: m, and 2 (H - 1) / H m on average among H of them, as all algorithms do that
/// combine
///   each contribution once (Patarasuk and Yuan 2009); others need as many messages for each
///   element, since n that tell each other all they know by one-way messages need 2 (n - 1) of them
///   (Harary and Schwenk 1974);
/// - allgather, reduce_scatter_block: the blocks of all ranks but its own;
/// - scatter, gather, all-to-all: the blocks between its ranks and others.
/// A barrier moves no bytes: it takes the backbone's latency where there are several clusters.
double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          const ClusterRates& goodput_bytes_per_s,
                          const std::optional<Backbone>& backbone);

/// The least time per call in a loop, in which latencies overlap: the work between calls, or what
/// the bytes take the busiest port or the backbone.
double period_bound_s(const Specification& specification, const Clusters& clusters,
                      const ClusterRates& goodput_bytes_per_s, std::optional<Backbone> backbone,
                      double work_s);

/// The time that no algorithm can beat on this network: that bound, with rates at the upper ends of
/// their intervals, less the burst that a port lets pass at once after a pause, and one latency; 0
/// where no rate is known or no byte moves. A barrier takes one latency, and not log2 n of them:
/// all ranks may signal all others at once. In a loop (Network::loop_work_s) it is the period's,
/// less the work.
double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          const Network& network);
/// Its two parts.
struct BoundParts {
    double bytes_s = 0;   ///< of the busiest port or the backbone, with the backbone's latency
    double latency_s = 0; ///< one, within a cluster

    double time_s() const { return bytes_s + latency_s; }
};
BoundParts bound_parts(const Specification& specification, const Clusters& clusters,
                       const Network& network);

} // namespace alltold
