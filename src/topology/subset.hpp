// SPDX-License-Identifier: BSD-3-Clause
// Subsets of clusters: hosts with all their ranks.
#pragma once

#include <span>

#include "topology/clusters.hpp"

namespace alltold {

/// The first `hosts[c]` hosts of each cluster c, with all of their ranks; clusters beyond `hosts`
/// are left out. Each number is at least 1 and at most what the cluster has.
Clusters first_hosts(const Clusters& all, std::span<const int> hosts);

/// The first `count` clusters, at least one.
Clusters first_clusters(const Clusters& all, int count);

/// The `count` largest clusters; of equal ones the last ones.
Clusters largest_clusters(const Clusters& all, int count);

/// `share` of the hosts of each cluster, rounded, at least one, with all of their ranks.
Clusters share_of_hosts(const Clusters& all, double share);

/// Whether `subset` lies in `all`, cluster by cluster and host by host from the first ones on.
bool holds(const Clusters& all, const Clusters& subset);

} // namespace alltold
