// SPDX-License-Identifier: BSD-3-Clause
// The mirror of the binomial scatter: each node sends its whole subtree's blocks at once.
#include <algorithm>

#include "schedule/algorithms/tree.hpp"

namespace alltold::gather_binomial {
namespace {

Schedule generate(const Task& task) {
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    auto node = binomial_tree(place, task.ranks);
    std::reverse(node.children.begin(), node.children.end()); // small subtrees are ready first
    const int subtree = binomial_subtree(place, task.ranks);
    const Region own{Buffer::send, 0, task.size_bytes};
    Builder builder(node.children.size() + 4);

    if (place == 0) {
        for (const int child : node.children)
            receive_at_root(builder, ring, child, binomial_subtree(child, task.ranks),
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
        parts.push_back(builder.receive(subregion(all, ring.bytes(child - place),
                                                  ring.bytes(binomial_subtree(child, task.ranks))),
                                        ring.rank_at(child)));
    const auto sent = builder.send(all, parent);
    for (const auto part : parts)
        builder.also_after(sent, part);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "gather.binomial",
    .collective = Collective::gather,
    .wins = "short messages from many ranks: the root receives log2 n messages",
    .generate = generate,
};

} // namespace alltold::gather_binomial
