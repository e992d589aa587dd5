// SPDX-License-Identifier: BSD-3-Clause
// A binomial tree whose distances double from the root on: Open MPI's binomial broadcast.
#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_binomial_doubling {
namespace {

/// Place p's parent is p without its highest bit; its children are p + 2^k for every 2^k above p.
TreeNode doubling_tree(int place, int ranks) {
    TreeNode node;
    std::int64_t step = 1;
    for (; step <= place; step *= 2)
        node.parent = static_cast<int>(place - step);
    for (; place + step < ranks; step *= 2)
        node.children.push_back(static_cast<int>(place + step));
    return node;
}

Schedule generate(const Task& task) {
    return broadcast_along(task, doubling_tree, {.one_by_one = false});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.binomial_doubling",
    .collective = Collective::bcast,
    .wins = "short messages to many ranks where start-ups are short: log2 n levels, and every rank "
            "sends to all its children at once",
    .generate = generate,
};

} // namespace alltold::bcast_binomial_doubling
