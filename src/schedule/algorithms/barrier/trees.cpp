// SPDX-License-Identifier: BSD-3-Clause
// Barriers in which signals go up a tree to rank 0 and down again.
#include "schedule/algorithms/tree.hpp"

namespace alltold::barrier_trees {
namespace {

/// A rank awaits its children, the last or the first of them before the others, signals its parent,
/// and hands the parent's signal on.
Schedule up_and_down(const TreeNode& node, bool last_child_first) {
    Builder builder(2 * node.children.size() + 4);
    auto awaited = node.children;
    if (last_child_first)
        std::ranges::reverse(awaited);
    std::vector<Step> heard;
    for (const int child : awaited)
        heard.push_back(builder.await(child));
    Step ready = heard.empty() ? no_step : builder.join();
    builder.also_after(ready, heard);
    if (node.parent >= 0) {
        const auto up = builder.signal(node.parent, {ready});
        const auto down = builder.await(node.parent, {ready});
        ready = node.children.empty() ? no_step : builder.join({up, down});
    }
    for (const int child : node.children)
        builder.signal(child, {ready});
    return std::move(builder).finish();
}

Schedule binomial(const Task& task) {
    // The smallest subtree, that of the last child, is the first to be complete.
    return up_and_down(binomial_tree(task.rank, task.ranks), true);
}

Schedule flat(const Task& task) {
    return up_and_down(flat_tree(task.rank, task.ranks), false);
}

constexpr Algorithm table[]{
    // Signals go up a binomial tree to rank 0 and down again.
    {
        .name = "barrier.binomial",
        .wins = "many ranks on hosts that handle signals slowly: 2(n - 1) of them, the fewest "
                "there are",
        .generate = binomial,
    },
    // Every rank signals rank 0, which signals back once it has heard all.
    {
        .name = "barrier.flat",
        .wins = "few ranks, where a latency is long: two of them in all, but rank 0 handles all "
                "signals",
        .generate = flat,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::barrier_trees
