// SPDX-License-Identifier: BSD-3-Clause
// The two physical lower bounds printed beside every time.
#pragma once

#include "network/capacity.hpp"
#include "predict/digraph.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// Least time in which hosts with full-duplex links of goodput_bytes_per_s > 0 (payload, headers
/// taken off) can move `messages`: the most bytes any host must send or receive, over the goodput.
/// Also holds with forwarding.
double nic_bound_s(const MessageDigraph& messages, double goodput_bytes_per_s);

/// Least time in which the clusters can exchange the inter-cluster part of `messages`: the most
/// bytes that must leave or enter any one cluster, over the backbone's goodput, plus one latency; 0
/// if nothing crosses. `clusters` holds messages.n() ranks.
double wan_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   const Backbone& backbone);

} // namespace alltold
