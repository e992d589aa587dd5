// SPDX-License-Identifier: BSD-3-Clause
// Each node of a binomial tree gets its subtree's blocks at once (Barchet-Steffenel and Mounie
// 2004).
#include "schedule/algorithms/tree.hpp"

namespace alltold::scatter_binomial {
namespace {

Schedule generate(const Task& task) {
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    const auto node = binomial_tree(place, task.ranks);
    const int subtree = binomial_subtree(place, task.ranks);
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
        const int count = binomial_subtree(child, task.ranks);
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

} // namespace

extern const Algorithm row{
    .name = "scatter.binomial",
    .collective = Collective::scatter,
    .wins = "short messages to many ranks: log2 n rounds instead of n - 1 messages",
    .generate = generate,
};

} // namespace alltold::scatter_binomial
