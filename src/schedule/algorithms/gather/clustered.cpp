// SPDX-License-Identifier: BSD-3-Clause
// A windowed gather in every cluster at once, each with its own number of concurrent senders.
#include "schedule/algorithms/ring.hpp"

namespace alltold::gather_clustered {
namespace {

/// The position of this rank among the senders of its cluster.
struct Sender {
    int number;
    int count;
};

Sender sender_of(const Clusters& clusters, int rank, int root) {
    const int mine = clusters.cluster_of(rank), first = clusters.first(mine);
    const bool with_root = mine == clusters.cluster_of(root);
    return {rank - first - (with_root && rank > root), clusters.size(mine) - with_root};
}

// As gather.windowed (Tam and Wang 1999, algorithm 1). But a start signal across the backbone would
// leave the root's port idle for a latency, so each cluster has its own sequence of senders:
// `inter_cluster_window` at once in other clusters, `window` in the root's.
Schedule generate(const Task& task) {
    const Ring ring(task);
    const auto& clusters = *task.parameters.clusters;
    Builder builder(static_cast<std::size_t>(task.rank == task.root ? task.ranks : 3));
    const Region own{Buffer::send, 0, task.size_bytes};
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    if (task.rank == task.root) {
        for (int place = 1; place < task.ranks; ++place)
            builder.receive(ring.blocks(Buffer::receive, place, 1)[0], ring.rank_at(place));
        builder.copy(own, ring.blocks(Buffer::receive, 0, 1)[0]);
        return std::move(builder).finish();
    }
    const int mine = clusters.cluster_of(task.rank), roots = clusters.cluster_of(task.root);
    const int asked = mine == roots ? task.parameters.window : task.parameters.inter_cluster_window;
    const int window = asked > 0 ? asked : task.ranks;
    const auto [number, count] = sender_of(clusters, task.rank, task.root);
    // Sender `i` of this cluster, in the order of ranks without the root.
    const auto rank_of = [&](int i) {
        const int rank = clusters.first(mine) + i;
        return rank + (mine == roots && rank >= task.root);
    };
    const bool waited_for = window < count - number;
    const auto started = number >= window ? builder.await(rank_of(number - window)) : no_step;
    const auto sent = builder.send(own, task.root, {started}, waited_for);
    if (waited_for)
        builder.signal(rank_of(number + window), {sent});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "gather.clustered",
    .collective = Collective::gather,
    .wins =
        "long messages from clusters: few senders at once from each, none delayed by a distant one",
    .generate = generate,
    .window = Algorithm::Use::may,
    .inter_cluster_window = Algorithm::Use::may,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::gather_clustered
