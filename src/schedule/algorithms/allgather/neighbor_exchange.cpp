// SPDX-License-Identifier: BSD-3-Clause
// n/2 rounds of two blocks, exchanged with either neighbour in turn (Chen et al. 2005).
#include "schedule/algorithms/gathered.hpp"

namespace alltold::allgather_neighbor_exchange {
namespace {

// Ranks 2p and 2p + 1 are pair p. After the first round both have their pair's blocks; then each
// exchanges what it got last, first with the neighbour of another pair, then with either in turn.
Schedule in_pairs(const Task& task) {
    const Gathered gathered(task);
    const int pairs = task.ranks / 2, pair = task.rank / 2;
    Builder builder(static_cast<std::size_t>(task.ranks) + 1);
    const auto own = gathered.copy_own(builder);
    auto received = builder.receive(gathered.blocks(task.rank ^ 1), task.rank ^ 1);
    auto sent = builder.send(gathered.own(), task.rank ^ 1);
    int leaves = pair;
    for (int round = 1; round < pairs; ++round) {
        const int direction = (task.rank + round) % 2 == 0 ? 1 : -1;
        const int to = (task.rank + direction + task.ranks) % task.ranks;
        const int arrives = (pair + direction * ((round + 1) / 2) + pairs) % pairs;
        const auto receiving =
            builder.receive(gathered.blocks(2 * arrives, 2), to, {sent, received});
        sent = builder.send(gathered.blocks(2 * leaves, 2), to, {own, sent, received});
        received = receiving;
        leaves = arrives;
    }
    return std::move(builder).finish();
}

// An odd number of ranks makes no pairs: blocks move around the ring both ways.
Schedule both_ways(const Task& task) {
    const Gathered gathered(task);
    Builder builder(2 * static_cast<std::size_t>(task.ranks));
    const auto block_at = [&](int distance) {
        return distance == 0 ? gathered.own()
                             : gathered.blocks((task.rank + distance + task.ranks) % task.ranks);
    };
    const int next = (task.rank + 1) % task.ranks;
    const int previous = (task.rank - 1 + task.ranks) % task.ranks;
    Step from_next = no_step, from_previous = no_step;
    for (int k = 0; k < task.ranks / 2; ++k) {
        builder.send(block_at(-k), next, {from_previous});
        builder.send(block_at(k), previous, {from_next});
        from_previous = builder.receive(block_at(-k - 1), previous);
        from_next = builder.receive(block_at(k + 1), next);
    }
    gathered.copy_own(builder);
    return std::move(builder).finish();
}

Schedule generate(const Task& task) {
    return task.ranks % 2 == 0 ? in_pairs(task) : both_ways(task);
}

} // namespace

extern const Algorithm row{
    .name = "allgather.neighbor_exchange",
    .wins = "medium blocks where neighbours are near each other: n/2 rounds, none over a distance",
    .generate = generate,
};

} // namespace alltold::allgather_neighbor_exchange
