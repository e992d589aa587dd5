// SPDX-License-Identifier: BSD-3-Clause
// The bytes of an algorithm that one host's port carries.
#pragma once

#include "simulate/event_graph.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The most bytes that any host sends to other hosts or receives from them in the call, whose ranks
/// `clusters` holds.
double busiest_port_bytes(const simulate::EventGraph& call, const Clusters& clusters);

} // namespace alltold
