// SPDX-License-Identifier: BSD-3-Clause
// What physics allows: the two bounds printed beside every time.
#pragma once

#include "network/capacity.hpp"
#include "predict/digraph.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// Least time in which hosts with full-duplex links of goodput_bytes_per_s > 0 (payload, headers
/// taken off) can move what `messages` asks for: the most bytes any host must send or receive, over
/// the goodput. Forwarding cannot beat it.
double nic_bound_s(const MessageDigraph& messages, double goodput_bytes_per_s);

/// Least time in which the clusters can exchange what `messages` asks of processes in different
/// clusters: the most bytes that must leave or enter any one cluster, over the backbone's goodput,
/// plus one latency; 0 when nothing crosses. `clusters` holds messages.n() ranks.
double wan_bound_s(const MessageDigraph& messages, const Clusters& clusters,
                   const Backbone& backbone);

} // namespace alltold
