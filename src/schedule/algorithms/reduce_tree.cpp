// SPDX-License-Identifier: BSD-3-Clause
// Descents through intervals of ranks, and combining what the children send.
#include "schedule/algorithms/reduce_tree.hpp"

#include <algorithm>

namespace alltold {

ReduceNode halved_tree(int rank, int ranks, int root) {
    ReduceNode node;
    int collector = root; // of the interval from `first` up to `end`
    for (int first = 0, end = ranks; end - first > 1;) {
        const int middle = first + (end - first + 1) / 2;
        const bool collects_low = collector < middle;
        const int other = collects_low ? middle : first; // collects the other half
        if (rank == collector)
            node.children.push_back({other, collects_low ? Side::right : Side::left});
        if ((rank < middle) != collects_low) {
            if (rank == other)
                node.parent = collector;
            collector = other;
        }
        (rank < middle ? end : first) = middle;
    }
    std::reverse(node.children.begin(), node.children.end());
    return node;
}

ReduceNode search_tree(int rank, int ranks, int root) {
    const auto middle = [](int first, int end) { return first + (end - first - 1) / 2; };
    int first = 0, end = ranks, here = root;
    ReduceNode node;
    while (here != rank) {
        node.parent = here;
        if (rank < here)
            end = here;
        else
            first = here + 1;
        here = middle(first, end);
    }
    if (here + 1 < end)
        node.children.push_back({middle(here + 1, end), Side::right});
    if (first < here)
        node.children.push_back({middle(first, here), Side::left});
    return node;
}

ReduceNode star_tree(int rank, int ranks, int root) {
    if (rank != root)
        return {.parent = root};
    ReduceNode node;
    for (int child = root + 1; child < ranks; ++child)
        node.children.push_back({child, Side::right});
    for (int child = root - 1; child >= 0; --child)
        node.children.push_back({child, Side::left});
    return node;
}

Schedule reduce_along(const Task& task, const ReduceNode& node) {
    std::vector<Side> sides;
    for (const auto& child : node.children)
        sides.push_back(task.reduction.commutative ? Side::right : child.side);
    const bool root = node.parent < 0;
    Builder builder(2 * sides.size() + 2);
    Accumulator all(builder, {Buffer::send, 0, task.size_bytes}, std::move(sides),
                    root ? std::optional(Region{Buffer::receive, 0, task.size_bytes})
                         : std::nullopt);
    for (const auto& child : node.children)
        all.receive(child.rank);
    if (!root)
        builder.send(all.value(), node.parent, {all.ready()});
    return std::move(builder).finish();
}

} // namespace alltold
