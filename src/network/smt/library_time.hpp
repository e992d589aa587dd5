// SPDX-License-Identifier: BSD-3-Clause
// The library's all-to-all by a model of one cluster.
#pragma once

#include "core/estimate.hpp"
#include "network/cost_model.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// Time of the library's all-to-all over all ranks of `clusters`, m >= 0 bytes per pair, with
/// `model` (which has library_in_cluster and lacks nothing) in each cluster: on several by SMT
/// equation 6, and its ends where all networks are at the ends of their intervals. There the
/// network must have an inter_cluster.
Estimate library_time_by_clusters(const Network& network, const Clusters& clusters,
                                  double size_bytes, const CostModel& model);

} // namespace alltold
