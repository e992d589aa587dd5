// SPDX-License-Identifier: BSD-3-Clause
// Physical lower bound of a collective, for any algorithm.
#pragma once

#include <optional>

#include "network/capacity.hpp"
#include "predict/bounds.hpp"
#include "schedule/specification.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The larger of NIC bound and WAN bound in seconds, with links of goodput_bytes_per_s > 0 each
/// way, one for all ranks of a host, and a backbone where there is one; 0 on one host. A broadcast
/// must bring its block to every other host and cluster once. `clusters` holds the specification's
/// ranks.
double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          double goodput_bytes_per_s, const std::optional<Backbone>& backbone);

/// What no algorithm can beat on this network: the same with rates at the upper ends of their
/// intervals, less the burst that a port lets pass at once after a pause, and one latency; 0 where
/// no rate is known or no byte moves.
double collective_bound_s(const Specification& specification, const Clusters& clusters,
                          const Network& network);

} // namespace alltold
