// SPDX-License-Identifier: BSD-3-Clause
// Every rank sends its block straight to the root: all at once, or some at a time.
#include "schedule/algorithms/ring.hpp"

namespace alltold::gather_direct_gathers {
namespace {

Schedule receive_all(const Task& task) {
    const Ring ring(task);
    Builder builder(static_cast<std::size_t>(task.ranks));
    for (int place = 1; place < task.ranks; ++place)
        builder.receive(ring.blocks(Buffer::receive, place, 1)[0], ring.rank_at(place));
    builder.copy({Buffer::send, 0, task.size_bytes}, ring.blocks(Buffer::receive, 0, 1)[0]);
    return std::move(builder).finish();
}

Schedule flat(const Task& task) {
    if (task.rank == task.root)
        return receive_all(task);
    Builder builder(1);
    builder.send({Buffer::send, 0, task.size_bytes}, task.root);
    return std::move(builder).finish();
}

// Blocks are sent synchronously: the start signal must mean that the previous block has been
// received, which the return of a buffered send does not guarantee. (In the paper, sends end with
// the wire.)
Schedule windowed(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    if (task.rank == task.root)
        return receive_all(task);
    const Ring ring(task);
    const int window = task.parameters.window > 0 ? task.parameters.window : task.ranks;
    const int place = ring.place_of(task.rank);
    const Region own{Buffer::send, 0, task.size_bytes};
    Builder builder(3);
    const auto started = place > window ? builder.await(ring.rank_at(place - window)) : no_step;
    const auto sent = builder.send(own, task.root, {started}, true);
    if (window < task.ranks - place)
        builder.signal(ring.rank_at(place + window), {sent});
    return std::move(builder).finish();
}

Limits windowed_limits(int window) {
    return {.into_root = window};
}

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
Schedule clustered(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    if (task.rank == task.root)
        return receive_all(task);
    const auto& clusters = *task.parameters.clusters;
    const Region own{Buffer::send, 0, task.size_bytes};
    Builder builder(3);
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

constexpr Algorithm table[]{
    // Every rank sends its block to the root itself, all at once.
    {
        .name = "gather.flat",
        .wins = "long messages, while the root's port can buffer what all ranks send at once",
        .generate = flat,
    },
    // The windowed gather, which never overruns the root's port (Tam and Wang 1999, algorithm 1).
    {
        .name = "gather.windowed",
        .wins = "long messages to a root whose port cannot buffer what all ranks send at once",
        .generate = windowed,
        .window = Algorithm::Use::may,
        .limits = windowed_limits,
    },
    // A windowed gather in every cluster at once, each with its own number of concurrent senders.
    {
        .name = "gather.clustered",
        .wins = "long messages from clusters: few senders at once from each, none delayed by a "
                "distant one",
        .generate = clustered,
        .window = Algorithm::Use::may,
        .inter_cluster_window = Algorithm::Use::may,
        .clusters = Algorithm::Use::must,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::gather_direct_gathers
