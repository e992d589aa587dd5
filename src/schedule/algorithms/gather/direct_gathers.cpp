// SPDX-License-Identifier: BSD-3-Clause
// Every rank sends its block straight to the root: all at once, or some at a time.
#include <optional>

#include "schedule/algorithms/ring.hpp"

namespace alltold::gather_direct_gathers {
namespace {

// The root receives all blocks. When it has that of `rank`, it lets the sender go that
// `follower(rank)` names, if any. Where the senders do so themselves, as in the paper, whose sends
// end with the wire, all are soon sending: from the eager limit on, a synchronous send ends when
// the socket has taken its bytes, and in loops sockets grow (7 hosts, 30 Mbit/s, 64 KiB: a time-out
// in one call of seven).
template <typename Follower>
Schedule receive_all(const Task& task, const Follower& follower) {
    const Ring ring(task);
    Builder builder(2 * static_cast<std::size_t>(task.ranks));
    for (int place = 1; place < task.ranks; ++place) {
        const int rank = ring.rank_at(place);
        const auto received = builder.receive(ring.blocks(Buffer::receive, place, 1)[0], rank);
        if (const std::optional<int> next = follower(rank))
            builder.signal(*next, {received});
    }
    builder.copy({Buffer::send, 0, task.size_bytes}, ring.blocks(Buffer::receive, 0, 1)[0]);
    return std::move(builder).finish();
}

Schedule flat(const Task& task) {
    if (task.rank == task.root)
        return receive_all(task, [](int) { return std::nullopt; });
    Builder builder(1);
    builder.send({Buffer::send, 0, task.size_bytes}, task.root);
    return std::move(builder).finish();
}

Schedule windowed(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    const Ring ring(task);
    const int window = task.parameters.window > 0 ? task.parameters.window : task.ranks;
    if (task.rank == task.root)
        return receive_all(task, [&](int rank) -> std::optional<int> {
            const int next = ring.place_of(rank) + window;
            return next < task.ranks ? std::optional(ring.rank_at(next)) : std::nullopt;
        });
    Builder builder(2);
    const auto started = ring.place_of(task.rank) > window ? builder.await(task.root) : no_step;
    builder.send({Buffer::send, 0, task.size_bytes}, task.root, {started});
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

// As gather.windowed. But a start signal from the root across the backbone would leave its port
// idle for a latency, so each cluster has its own sequence of senders: `window` at once in the
// root's, `inter_cluster_window` in others, where each lets the next one go.
Schedule clustered(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    const auto& clusters = *task.parameters.clusters;
    const int roots = clusters.cluster_of(task.root);
    const auto window_of = [&](int cluster) {
        return cluster == roots ? task.parameters.window : task.parameters.inter_cluster_window;
    };
    // The rank that follows `rank` after as many of its cluster as may send at once.
    const auto follower = [&](int rank) -> std::optional<int> {
        const int mine = clusters.cluster_of(rank);
        const int window = window_of(mine);
        const auto [number, count] = sender_of(clusters, rank, task.root);
        if (window <= 0 || window >= count - number)
            return std::nullopt;
        const int next = clusters.first(mine) + number + window;
        return next + (mine == roots && next >= task.root);
    };
    if (task.rank == task.root)
        return receive_all(task, [&](int rank) {
            return clusters.cluster_of(rank) == roots ? follower(rank) : std::nullopt;
        });
    const int mine = clusters.cluster_of(task.rank);
    const int window = window_of(mine);
    const int number = sender_of(clusters, task.rank, task.root).number;
    Builder builder(3);
    Step started = no_step;
    if (window > 0 && number >= window)
        started = builder.await(mine == roots ? task.root : task.rank - window);
    const auto next = mine == roots ? std::nullopt : follower(task.rank);
    const auto sent =
        builder.send({Buffer::send, 0, task.size_bytes}, task.root, {started}, next.has_value());
    if (next)
        builder.signal(*next, {sent});
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
