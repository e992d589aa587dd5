// SPDX-License-Identifier: BSD-3-Clause
// The slowest cluster, then the messages between clusters.
#include "network/smt/library_time.hpp"

#include <algorithm>

#include "network/hockney/hockney_time.hpp"
#include "network/signature/cluster_signatures.hpp"
#include "network/smt/clusters_time.hpp"

namespace alltold {

Estimate library_time_by_clusters(const Network& network, const Clusters& clusters,
                                  double size_bytes, const CostModel& model) {
    const auto in_cluster = [&](int c) {
        const int n = clusters.size(c);
        auto time_s = model.library_in_cluster(network, c, n, size_bytes);
        if (network.alltoall)
            time_s.high *= signature_in(network, c).may_grow(n);
        return time_s;
    };
    const auto time_s = [&](double Estimate::*end) {
        double slowest_s = 0;
        for (int c = 0; c < clusters.count(); ++c)
            slowest_s = std::max(slowest_s, in_cluster(c).*end);
        return clusters.count() == 1
                   ? slowest_s
                   : plain_time_s(slowest_s, clusters, at_end(*network.inter_cluster, end),
                                  size_bytes);
    };
    return {time_s(&Estimate::value), time_s(&Estimate::low), time_s(&Estimate::high)};
}

} // namespace alltold
