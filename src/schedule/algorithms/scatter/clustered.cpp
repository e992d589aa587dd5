// SPDX-License-Identifier: BSD-3-Clause
// The root sends every rank its block itself, those of other clusters first.
#include <algorithm>

#include "schedule/algorithms/ring.hpp"

namespace alltold::scatter_clustered {
namespace {

// In every scatter each block crosses the backbone at most once; only waiting can be saved. Blocks
// for other clusters leave first, alternating between the clusters, and travel while the root sends
// the blocks of its own cluster.
Schedule generate(const Task& task) {
    const Ring ring(task);
    const auto& clusters = *task.parameters.clusters;
    const int mine = clusters.cluster_of(task.root);
    Builder builder(static_cast<std::size_t>(task.rank == task.root ? task.ranks : 1));
    const Region own{Buffer::receive, 0, task.size_bytes};
    if (task.rank != task.root) {
        builder.receive(own, task.root);
        return std::move(builder).finish();
    }
    const auto send = [&](int rank) {
        builder.send(ring.blocks(Buffer::send, ring.place_of(rank), 1)[0], rank);
    };
    const int longest = *std::max_element(clusters.sizes().begin(), clusters.sizes().end());
    for (int place = 0; place < longest; ++place)
        for (int distance = 1; distance < clusters.count(); ++distance)
            if (const int other = (mine + distance) % clusters.count();
                place < clusters.size(other))
                send(clusters.first(other) + place);
    for (int distance = 1; distance < clusters.size(mine); ++distance)
        send(clusters.first(mine) +
             (task.root - clusters.first(mine) + distance) % clusters.size(mine));
    builder.copy(ring.blocks(Buffer::send, 0, 1)[0], own);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "scatter.clustered",
    .collective = Collective::scatter,
    .wins = "clusters with high latency between them: remote blocks travel while the root sends "
            "local ones",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::scatter_clustered
