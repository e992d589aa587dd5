// SPDX-License-Identifier: BSD-3-Clause
// Subsets of clusters: hosts with all their ranks.
#pragma once

#include <span>
#include <vector>

#include "topology/clusters.hpp"

namespace alltold {

/// The first `hosts[c]` hosts of each cluster c, with all of their ranks; clusters beyond `hosts`
/// are left out. Each number is at least 1 and at most what the cluster has.
Clusters first_hosts(const Clusters& all, std::span<const int> hosts);

/// The `count` largest clusters; of equal ones the last ones.
Clusters largest_clusters(const Clusters& all, int count);

/// `share` of the hosts of each cluster, rounded, at least one, with all of their ranks.
Clusters share_of_hosts(const Clusters& all, double share);

/// Where `subset` lies in `all`: for each of its clusters, in order, the first one in which there
/// are as many hosts with as many ranks, host by host from the first ones on. Empty if it does not.
std::vector<int> place_of(const Clusters& subset, const Clusters& all);

/// The hosts and ranks of either: in each cluster as many hosts as the larger has, on each host as
/// many ranks.
Clusters united(const Clusters& a, const Clusters& b);

/// The rank that is in `to` what `rank` is in `from`: of the same number on the same host in the
/// same cluster, which must be there, as in united(from, ...).
int moved_rank(int rank, const Clusters& from, const Clusters& to);

} // namespace alltold
