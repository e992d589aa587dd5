// SPDX-License-Identifier: BSD-3-Clause
// Messages between the root and the heads of groups, and a schedule within each group.
#include "schedule/algorithms/relayed.hpp"

#include "schedule/algorithms/embedding.hpp"
#include "schedule/algorithms/own_group.hpp"

namespace alltold {

// Messages to other groups leave first. The blocks of a group are contiguous in the root's buffer,
// so the root copies nothing.
Schedule relayed_scatter(const Task& task, Level level, std::string_view within) {
    Builder builder;
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    const OwnGroup group(task, level);
    const Region own{Buffer::receive, 0, task.size_bytes};
    Step here = no_step;
    Region blocks = group.blocks(Buffer::send);
    if (task.rank == task.root)
        for (const int other : group.others())
            builder.send(group.blocks(Buffer::send, other), group.head(other));
    else if (group.is_head()) {
        blocks = builder.scratch(blocks.size_bytes);
        here = builder.receive(blocks, task.root);
    }
    embed(builder, group.schedule(within), {group.first(), blocks, own}, here);
    return std::move(builder).finish();
}

Schedule relayed_gather(const Task& task, Level level, std::string_view within) {
    Builder builder;
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    const OwnGroup group(task, level);
    const Region own{Buffer::send, 0, task.size_bytes};
    Region blocks = group.blocks(Buffer::receive);
    if (task.rank == task.root)
        for (const int other : group.others())
            builder.receive(group.blocks(Buffer::receive, other), group.head(other));
    else if (group.is_head())
        blocks = builder.scratch(blocks.size_bytes);
    const auto there = embed(builder, group.schedule(within), {group.first(), own, blocks});
    if (group.is_head() && !group.has_root())
        builder.send(blocks, task.root, {there});
    return std::move(builder).finish();
}

} // namespace alltold
