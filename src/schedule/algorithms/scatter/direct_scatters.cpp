// SPDX-License-Identifier: BSD-3-Clause
// The root sends every rank its block itself.
#include "schedule/algorithms/ring.hpp"

namespace alltold::scatter_direct_scatters {
namespace {

/// The schedule of a rank other than the root.
Schedule receive_own(const Task& task) {
    Builder builder(1);
    builder.receive({Buffer::receive, 0, task.size_bytes}, task.root);
    return std::move(builder).finish();
}

Schedule flat(const Task& task) {
    if (task.rank != task.root)
        return receive_own(task);
    const Ring ring(task);
    Builder builder(static_cast<std::size_t>(task.ranks));
    const Region own{Buffer::receive, 0, task.size_bytes};
    for (int place = 1; place < task.ranks; ++place)
        builder.send(ring.blocks(Buffer::send, place, 1)[0], ring.rank_at(place));
    builder.copy(ring.blocks(Buffer::send, 0, 1)[0], own);
    return std::move(builder).finish();
}

// In every scatter each block crosses the backbone at most once; only waiting can be saved. Blocks
// for other clusters leave first, alternating between the clusters, and travel while the root sends
// the blocks of its own cluster.
Schedule clustered(const Task& task) {
    if (task.rank != task.root)
        return receive_own(task);
    const Ring ring(task);
    const auto& clusters = *task.parameters.clusters;
    const int mine = clusters.cluster_of(task.root);
    Builder builder(static_cast<std::size_t>(task.ranks));
    const Region own{Buffer::receive, 0, task.size_bytes};
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

constexpr Algorithm table[]{
    // The root sends every rank its block itself (Barchet-Steffenel and Mounie 2004, table 2).
    {
        .name = "scatter.flat",
        .wins = "long messages: no byte travels twice, so the root's link is used once",
        .generate = flat,
    },
    // The root sends every rank its block itself, those of other clusters first.
    {
        .name = "scatter.clustered",
        .wins = "clusters with high latency between them: remote blocks travel while the root "
                "sends local ones",
        .generate = clustered,
        .clusters = Algorithm::Use::must,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::scatter_direct_scatters
