// SPDX-License-Identifier: BSD-3-Clause
// Trees over the places of a ring, and broadcasts along them.
#pragma once

#include "schedule/algorithms/ring.hpp"

namespace alltold {

/// One rank's neighbours in a tree, as places; the root has no parent (-1). Children are in the
/// order in which they are sent to.
struct TreeNode {
    int parent = -1;
    std::vector<int> children;
};

using Tree = TreeNode (*)(int place, int ranks);

/// All other places are children of place 0.
TreeNode flat_tree(int place, int ranks);
/// Place p's child is p + 1.
TreeNode chain_tree(int place, int ranks);
/// Place p's children are 2p + 1 and 2p + 2.
TreeNode binary_tree(int place, int ranks);
/// Place p's children are p + 2^k for 2^k below p's lowest set bit, farthest first, so that the
/// largest subtree starts first; the subtree of p is the places from p on.
TreeNode binomial_tree(int place, int ranks);

/// How many places the subtree of `place` has: the places from it on.
using Subtree = int (*)(int place, int ranks);
int chain_subtree(int place, int ranks);
int binomial_subtree(int place, int ranks);

/// How a node sends messages to its children.
struct TreeStyle {
    /// Sends to one child after another; otherwise to all at once.
    bool one_by_one = true;
    /// A request and a reply precede each message (Barchet-Steffenel and Mounie 2004: 2g(1)+3L).
    bool rendezvous = false;
};

/// A broadcast in which every node forwards the block to its children as soon as it has it.
Schedule broadcast_along(const Task& task, Tree tree, TreeStyle style);

/// A broadcast in which this rank gets the block from `parent` (-1: it has it) and forwards it to
/// each list of ranks; one list does not wait for another.
Schedule broadcast_between(const Task& task, int parent,
                           const std::vector<std::vector<int>>& children, TreeStyle style);

} // namespace alltold
