// SPDX-License-Identifier: BSD-3-Clause
// A binary tree whose levels interleave their subtrees: Open MPI's binary tree.
#include <bit>

#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_binary_interleaved {
namespace {

/// Level by level: a place p of a level of L places has the children p + L and p + 2 L.
TreeNode interleaved_tree(int place, int ranks) {
    const std::int64_t level = std::bit_floor(static_cast<std::uint32_t>(place) + 1);
    TreeNode node;
    if (place > 0)
        node.parent = static_cast<int>(place - (place < 3 * level / 2 - 1 ? level / 2 : level));
    for (const auto child : {place + level, place + 2 * level})
        if (child < ranks)
            node.children.push_back(static_cast<int>(child));
    return node;
}

Schedule generate(const Task& task) {
    return broadcast_along(task, interleaved_tree, {.one_by_one = false});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.binary_interleaved",
    .collective = Collective::bcast,
    .wins = "medium messages, as bcast.binary; other pairs of ranks exchange them, which matters "
            "over several clusters",
    .generate = generate,
};

} // namespace alltold::bcast_binary_interleaved
