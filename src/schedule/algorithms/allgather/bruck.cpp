// SPDX-License-Identifier: BSD-3-Clause
// log2 n rounds for any n, one message each, and a rotation at the end (Bruck et al. 1997).
#include <array>
#include <vector>

#include "schedule/algorithms/gathered.hpp"

namespace alltold::allgather_bruck {
namespace {

/// 1, 2, 4, ... below `ranks`, and `ranks`.
std::vector<int> doubled(int ranks) {
    std::vector<int> held;
    for (int count = 1; count < ranks; count *= 2)
        held.push_back(count);
    held.push_back(ranks);
    return held;
}

// Blocks are kept in the order of ranks from this one on, so that every message is one region.
// Rank 0 has them where they belong. The first round sends from the send buffer; with two ranks
// there is no other.
Schedule generate(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    const Gathered gathered(task);
    Builder builder;
    const auto held = task.rank == 0 ? gathered.blocks(0, task.ranks)
                                     : builder.scratch(gathered.bytes(task.ranks));
    const auto blocks = [&](int first, int count) {
        return subregion(held, gathered.bytes(first), gathered.bytes(count));
    };
    const auto own =
        task.rank == 0 || task.ranks > 2 ? builder.copy(gathered.own(), blocks(0, 1)) : no_step;
    const auto all =
        add_gathering_rounds(builder, task, doubled(task.ranks), own, [&](int first, int count) {
            return std::array{blocks(first, count), Region{}};
        });
    if (task.rank > 0) {
        const int upper = task.ranks - task.rank;
        gathered.copy_own(builder);
        builder.copy(blocks(1, upper - 1), gathered.blocks(task.rank + 1, upper - 1), {all});
        builder.copy(blocks(upper, task.rank), gathered.blocks(0, task.rank), {all});
    }
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "allgather.bruck",
    .collective = Collective::allgather,
    .wins = "short blocks and any number of ranks: log2 n messages each, but all is copied",
    .generate = generate,
};

} // namespace alltold::allgather_bruck
