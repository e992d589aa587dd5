// SPDX-License-Identifier: BSD-3-Clause
// Where n ranks are on the clusters' hosts, if nothing but their number is known.
#pragma once

#include "topology/clusters.hpp"

namespace alltold {

/// All hosts as one cluster.
Clusters joined(const Clusters& clusters);

/// `clusters` for n ranks: spread in proportion to their hosts, at least one each; n is at least
/// their number. Hosts have as many ranks as the fullest one of `clusters`, but for the last ones.
Clusters spread(const Clusters& clusters, int n);

/// n ranks, as equally many in each cluster as its hosts allow. As spread() beyond the hosts, and
/// with several ranks per host.
Clusters spread_evenly(const Clusters& hosts, int n);

/// n ranks, one at least in every cluster, else as many as there are hosts in the largest ones. As
/// spread() beyond the hosts, and with several ranks per host.
Clusters spread_unevenly(const Clusters& hosts, int n);

} // namespace alltold
