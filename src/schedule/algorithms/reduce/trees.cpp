// SPDX-License-Identifier: BSD-3-Clause
// Reductions along trees whose subtrees are intervals of ranks.
#include "schedule/algorithms/accumulator.hpp"
#include "schedule/algorithms/ring.hpp"
#include "schedule/segments.hpp"

namespace alltold::reduce_trees {
namespace {

/// One rank's neighbours in a tree in which every rank, with what it has combined of its children
/// so far, covers an interval of ranks; the next child's subtree is adjacent to it. So an operator
/// need not commute, whichever rank is the root.
struct ReduceNode {
    struct Child {
        int rank;
        Side side; ///< of this rank
    };
    int parent = -1;                  ///< a rank; -1 for the root
    std::vector<Child> children = {}; ///< in the order in which they are combined
};

/// The interval of all ranks is halved again and again; in each half one rank combines what the
/// half has: the root in its own half, the lowest rank in others. ceil(log2(ranks)) rounds for any
/// number of ranks and any root; in powers of two with root 0 it is the binomial tree.
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

/// A binary search tree: every rank is between its two subtrees, of which it serves the upper one
/// first.
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

/// All other ranks are children of the root, those above it first.
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

/// A reduction in which every rank passes on to its parent what its subtree has. Operands of an
/// operator that commutes are put in the order that needs no copy.
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

Schedule chain_segmented(const Task& task) {
    const bool ring = task.reduction.commutative || task.root == 0;
    return segmented(ring ? reduce_along(task, place_on_ring(task)) : there_and_back(task),
                     task.parameters.segment_bytes, task.reduction.unit_bytes);
}

constexpr Algorithm table[]{
    // A binary search tree of ranks, in the order of ranks, in segments that pipeline.
    {
        .name = "reduce.binary_segmented",
        .wins = "medium vectors from many ranks, with an operator that does not commute",
        .generate =
            [](const Task& task) {
                return segmented(reduce_along(task, search_tree(task.rank, task.ranks, task.root)),
                                 task.parameters.segment_bytes, task.reduction.unit_bytes);
            },
        .segment = Algorithm::Use::must,
        .in_order = true,
    },
    // A binomial tree over intervals of ranks: log2 n rounds in the order of ranks, for any root.
    {
        .name = "reduce.binomial",
        .wins = "short vectors from many ranks: the root receives log2 n messages",
        .generate =
            [](const Task& task) {
                return reduce_along(task, halved_tree(task.rank, task.ranks, task.root));
            },
        .in_order = true,
    },
    // The pipeline: partial results move along a chain to the root, segment after segment.
    {
        .name = "reduce.chain_segmented",
        .wins = "long vectors: every link carries every byte once, whatever the number of ranks",
        .generate = chain_segmented,
        .segment = Algorithm::Use::must,
        .in_order = true,
    },
    // Every rank sends its contribution straight to the root.
    {
        .name = "reduce.flat",
        .wins = "few ranks and short vectors, where a latency is long: one of them in all",
        .generate =
            [](const Task& task) {
                return reduce_along(task, star_tree(task.rank, task.ranks, task.root));
            },
        .in_order = true,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::reduce_trees
