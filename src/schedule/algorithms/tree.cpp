// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithms/tree.hpp"

#include <bit>

namespace alltold {

TreeNode flat_tree(int place, int ranks) {
    TreeNode node;
    if (place > 0)
        node.parent = 0;
    else
        for (int child = 1; child < ranks; ++child)
            node.children.push_back(child);
    return node;
}

TreeNode chain_tree(int place, int ranks) {
    TreeNode node;
    node.parent = place - 1;
    if (place + 1 < ranks)
        node.children.push_back(place + 1);
    return node;
}

TreeNode binary_tree(int place, int ranks) {
    TreeNode node;
    node.parent = place > 0 ? (place - 1) / 2 : -1;
    for (const std::int64_t child : {2L * place + 1, 2L * place + 2})
        if (child < ranks)
            node.children.push_back(static_cast<int>(child));
    return node;
}

TreeNode binomial_tree(int place, int ranks) {
    TreeNode node;
    const auto limit = place > 0 ? static_cast<unsigned>(place & -place)
                                 : std::bit_ceil(static_cast<unsigned>(ranks));
    if (place > 0)
        node.parent = place & (place - 1);
    for (auto step = limit / 2; step > 0; step /= 2)
        if (static_cast<int>(step) < ranks - place)
            node.children.push_back(place + static_cast<int>(step));
    return node;
}

int chain_subtree(int place, int ranks) {
    return ranks - place;
}

int binomial_subtree(int place, int ranks) {
    return place == 0 ? ranks : std::min(place & -place, ranks - place);
}

Schedule broadcast_along(const Task& task, Tree tree, TreeStyle style) {
    const Ring ring(task);
    auto node = tree(ring.place_of(task.rank), task.ranks);
    for (int& child : node.children)
        child = ring.rank_at(child);
    return broadcast_between(task, node.parent < 0 ? -1 : ring.rank_at(node.parent),
                             {std::move(node.children)}, style);
}

Schedule broadcast_between(const Task& task, int parent,
                           const std::vector<std::vector<int>>& children, TreeStyle style) {
    std::size_t messages = 1;
    for (const auto& list : children)
        messages += list.size();
    Builder builder(messages * (style.rendezvous ? 3 : 1));
    const Region block{Buffer::receive, 0, task.size_bytes};
    if (task.size_bytes == 0)
        return std::move(builder).finish();

    Step here = no_step; // complete once the block has arrived
    if (parent >= 0) {
        const auto asked = style.rendezvous ? builder.await(parent) : no_step;
        here = builder.receive(block, parent);
        if (style.rendezvous)
            builder.signal(parent, {asked});
    }
    if (style.rendezvous)
        for (const auto& list : children)
            for (const int child : list)
                builder.signal(child, {here});
    for (const auto& list : children) {
        Step previous = no_step;
        for (const int child : list) {
            const auto ready = style.rendezvous ? builder.await(child) : no_step;
            const auto sent = builder.send(block, child, {here, ready});
            if (style.one_by_one)
                builder.also_after(sent, previous);
            previous = sent;
        }
    }
    return std::move(builder).finish();
}

} // namespace alltold
