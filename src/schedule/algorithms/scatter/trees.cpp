// SPDX-License-Identifier: BSD-3-Clause
// Each node of a tree gets its subtree's blocks at once (Barchet-Steffenel and Mounie 2004, table
// 2).
#include "schedule/algorithms/tree.hpp"

namespace alltold::scatter_trees {
namespace {

Schedule scatter_along(const Task& task, Tree tree, Subtree subtree_of) {
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    const auto node = tree(place, task.ranks);
    const int subtree = subtree_of(place, task.ranks);
    const Region own{Buffer::receive, 0, task.size_bytes};
    Builder builder(node.children.size() + 4);

    Step here = no_step;
    Region all; // the subtree's blocks, in order of place, at all ranks but the root
    if (place > 0) {
        all = subtree > 1 ? builder.scratch(ring.bytes(subtree)) : own;
        here = builder.receive(all, ring.rank_at(node.parent));
    }
    Step previous = here;
    for (const int child : node.children) {
        const int count = subtree_of(child, task.ranks);
        const int peer = ring.rank_at(child);
        if (place == 0)
            previous = send_from_root(builder, ring, child, count, peer, previous);
        else
            previous = builder.send(subregion(all, ring.bytes(child - place), ring.bytes(count)),
                                    peer, {previous});
    }
    if (place == 0)
        builder.copy(ring.blocks(Buffer::send, 0, 1)[0], own);
    else if (subtree > 1)
        builder.copy(subregion(all, 0, task.size_bytes), own, {here});
    return std::move(builder).finish();
}

constexpr Algorithm table[]{
    {
        .name = "scatter.binomial",
        .wins = "short messages to many ranks: log2 n rounds instead of n - 1 messages",
        .generate =
            [](const Task& task) { return scatter_along(task, binomial_tree, binomial_subtree); },
    },
    // Each rank forwards the blocks of all later ranks.
    {
        .name = "scatter.chain",
        .wins = "two ranks; otherwise the baseline for the others",
        .generate = [](const Task& task) { return scatter_along(task, chain_tree, chain_subtree); },
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::scatter_trees
