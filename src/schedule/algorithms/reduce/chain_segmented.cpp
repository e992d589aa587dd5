// SPDX-License-Identifier: BSD-3-Clause
// The pipeline: partial results move along a chain to the root, segment after segment.
#include "schedule/algorithms/reduce_tree.hpp"
#include "schedule/algorithms/ring.hpp"
#include "schedule/segment.hpp"

namespace alltold::reduce_chain_segmented {
namespace {

/// The chain, for an operator that commutes or for root 0: from the rank before the root, once
/// around, down to the root.
ReduceNode place_on_ring(const Task& task) {
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    ReduceNode node;
    if (place > 0)
        node.parent = ring.rank_at(place - 1);
    if (place + 1 < task.ranks)
        node.children.push_back({ring.rank_at(place + 1), Side::right});
    return node;
}

/// In the order of ranks: from the root down to rank 0, then from above the root up to the last
/// rank, and back to the root. So every port carries every byte once; of two chains that meet at
/// the root, its port would carry both.
Schedule there_and_back(const Task& task) {
    const int root = task.root, last = task.ranks - 1;
    const int above = root < last ? root + 1 : root; // after rank 0
    if (task.rank == root) {
        Builder builder;
        builder.send({Buffer::send, 0, task.size_bytes}, root - 1);
        builder.receive({Buffer::receive, 0, task.size_bytes}, root < last ? last : 0);
        return std::move(builder).finish();
    }
    if (task.rank < root)
        return reduce_along(task, {.parent = task.rank > 0 ? task.rank - 1 : above,
                                   .children = {{task.rank + 1, Side::right}}});
    return reduce_along(task, {.parent = task.rank < last ? task.rank + 1 : root,
                               .children = {{task.rank > above ? task.rank - 1 : 0, Side::left}}});
}

Schedule generate(const Task& task) {
    const bool ring = task.reduction.commutative || task.root == 0;
    return segmented(ring ? reduce_along(task, place_on_ring(task)) : there_and_back(task),
                     task.parameters.segment_bytes, task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "reduce.chain_segmented",
    .collective = Collective::reduce,
    .wins = "long vectors: every link carries every byte once, whatever the number of ranks",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::reduce_chain_segmented
