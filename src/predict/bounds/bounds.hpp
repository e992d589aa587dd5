// SPDX-License-Identifier: BSD-3-Clause
// The two physical lower bounds printed beside every time.
#pragma once

#include "network/capacity.hpp"
#include "predict/bounds/digraph.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The messages that leave their host, from host to host instead of rank to rank. `clusters` holds
/// messages.n() ranks.
MessageDigraph between_hosts(const MessageDigraph& messages, const Clusters& clusters);

/// Least time in which hosts with full-duplex links of goodput_bytes_per_s > 0 (payload, headers
/// taken off) can move `messages`: the most bytes that must leave or enter any host, over the
/// goodput. Also holds with forwarding. `clusters` holds messages.n() ranks.
double nic_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   double goodput_bytes_per_s);

/// Least time in which the clusters can exchange the inter-cluster part of `messages`: the most
/// bytes that must leave or enter any one cluster, over the backbone's goodput, plus one latency; 0
/// if nothing crosses. `clusters` holds messages.n() ranks.
double wan_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   const Backbone& backbone);

} // namespace alltold
