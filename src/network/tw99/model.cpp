// SPDX-License-Identifier: BSD-3-Clause
// TW99's own equations of a broadcast and a gather, beside the simulated cluster model.
#include "network/cluster/gather_window.hpp"
#include "network/cluster/packet_broadcast.hpp"
#include "network/cost_model.hpp"

namespace alltold {
namespace {

Estimate equation(const Network& network, const Clusters& clusters, std::string_view algorithm,
                  double size_bytes) {
    const auto& cluster = *network.cluster;
    const auto packets = cluster.packets_of(size_bytes);
    auto* time_s = algorithm == "gather.windowed" ? cluster_gather_s : cluster_broadcast_s;
    return Estimate::exact(time_s(cluster, clusters.ranks(), packets.count, packets.size_bytes));
}

} // namespace

namespace models {
extern const CostModel tw99{
    .name = "tw99",
    .source = "TW99 equations 2 and 8",
    .help = "bcast.binomial_segmented and gather.windowed by the cluster model's equations",
    .preference = 60,
    .lacks = [](const Network& network) -> std::string {
        return network.cluster ? "" : "a cluster model";
    },
    .unfit = [](const Network&, const Clusters& clusters,
                std::string_view algorithm) -> std::string {
        return clusters.count() == 1 &&
                       (algorithm == "gather.windowed" || algorithm == "bcast.binomial_segmented")
                   ? ""
                   : "TW99 equations 2 and 8 hold only for bcast.binomial_segmented and "
                     "gather.windowed on one cluster";
    },
    .algorithm = equation,
    .algorithm_caveat = "TW99's segments are packets, whatever the segment; a windowed gather is "
                        "assumed neither to idle nor to lose",
};
} // namespace models

} // namespace alltold
