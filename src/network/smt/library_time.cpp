// SPDX-License-Identifier: BSD-3-Clause
// The slowest cluster, then the messages between clusters.
#include "network/smt/library_time.hpp"

#include <algorithm>

#include "network/hockney/hockney_time.hpp"
#include "network/smt/clusters_time.hpp"

namespace alltold {

Estimate library_time_by_clusters(const Network& network, const Clusters& clusters,
                                  double size_bytes, const CostModel& model) {
    Estimate slowest_s;
    for (int c = 0; c < clusters.count(); ++c) {
        const int n = clusters.size(c);
        auto time_s = model.library_in_cluster(network, c, n, size_bytes);
        if (network.alltoall)
            time_s.high *= network.signature_in(c).may_grow(n);
        for (const auto end : {&Estimate::value, &Estimate::low, &Estimate::high})
            slowest_s.*end = std::max(slowest_s.*end, time_s.*end);
    }
    if (clusters.count() == 1)
        return slowest_s;
    const auto with_others = [&](double Estimate::*end) {
        return plain_time_s(slowest_s.*end, clusters, at_end(*network.inter_cluster, end),
                            size_bytes);
    };
    return {with_others(&Estimate::value), with_others(&Estimate::low),
            with_others(&Estimate::high)};
}

} // namespace alltold
