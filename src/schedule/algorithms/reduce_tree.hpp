// SPDX-License-Identifier: BSD-3-Clause
// Trees whose subtrees are intervals of ranks, and reductions along them.
#pragma once

#include <vector>

#include "schedule/algorithms/accumulator.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

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
ReduceNode halved_tree(int rank, int ranks, int root);

/// A binary search tree: every rank is between its two subtrees, of which it serves the upper one
/// first.
ReduceNode search_tree(int rank, int ranks, int root);

/// All other ranks are children of the root, those above it first.
ReduceNode star_tree(int rank, int ranks, int root);

/// A reduction in which every rank passes on to its parent what its subtree has. Operands of an
/// operator that commutes are put in the order that needs no copy.
Schedule reduce_along(const Task& task, const ReduceNode& node);

} // namespace alltold
