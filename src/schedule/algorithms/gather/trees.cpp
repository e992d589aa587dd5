// SPDX-License-Identifier: BSD-3-Clause
// The mirror of the scatters along trees: each node sends its whole subtree's blocks at once.
#include "schedule/algorithms/tree.hpp"

namespace alltold::gather_trees {
namespace {

Schedule gather_along(const Task& task, Tree tree, Subtree subtree_of) {
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    auto node = tree(place, task.ranks);
    std::reverse(node.children.begin(), node.children.end()); // small subtrees are ready first
    const int subtree = subtree_of(place, task.ranks);
    const Region own{Buffer::send, 0, task.size_bytes};
    Builder builder(node.children.size() + 4);

    if (place == 0) {
        for (const int child : node.children)
            receive_at_root(builder, ring, child, subtree_of(child, task.ranks),
                            ring.rank_at(child));
        builder.copy(own, ring.blocks(Buffer::receive, 0, 1)[0]);
        return std::move(builder).finish();
    }
    const int parent = ring.rank_at(node.parent);
    if (subtree == 1) {
        builder.send(own, parent);
        return std::move(builder).finish();
    }
    const auto all = builder.scratch(ring.bytes(subtree));
    const auto copied = builder.copy(own, subregion(all, 0, task.size_bytes));
    std::vector<Step> parts{copied};
    for (const int child : node.children)
        parts.push_back(builder.receive(
            subregion(all, ring.bytes(child - place), ring.bytes(subtree_of(child, task.ranks))),
            ring.rank_at(child)));
    const auto sent = builder.send(all, parent);
    builder.also_after(sent, parts);
    return std::move(builder).finish();
}

constexpr Algorithm table[]{
    {
        .name = "gather.binomial",
        .wins = "short messages from many ranks: the root receives log2 n messages",
        .generate =
            [](const Task& task) { return gather_along(task, binomial_tree, binomial_subtree); },
    },
    // Each message adds one block on the way to the root.
    {
        .name = "gather.chain",
        .wins = "two ranks; otherwise the baseline for the others",
        .generate = [](const Task& task) { return gather_along(task, chain_tree, chain_subtree); },
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::gather_trees
