// SPDX-License-Identifier: BSD-3-Clause
// Blocks move around a ring: each rank forwards to the next what came from the one before.
#include "schedule/algorithms/gathered.hpp"
#include "schedule/segments.hpp"

namespace alltold::allgather_ring {
namespace {

// A block's receive waits for the block before the previous one. So one is always posted ahead,
// and MPI has few receives to look through, however many ranks there are.
Schedule generate(const Task& task) {
    const Gathered gathered(task);
    const int next = (task.rank + 1) % task.ranks,
              previous = (task.rank + task.ranks - 1) % task.ranks;
    Builder builder(2 * static_cast<std::size_t>(task.ranks));
    std::array<Step, 2> arrived{no_step, no_step}; // the newest first
    for (int k = 0; k + 1 < task.ranks; ++k) {
        const auto leaves =
            k == 0 ? gathered.own() : gathered.blocks((task.rank + task.ranks - k) % task.ranks);
        builder.send(leaves, next, {arrived[0]});
        arrived = {builder.receive(gathered.blocks((previous + task.ranks - k) % task.ranks),
                                   previous, {arrived[1]}),
                   arrived[0]};
    }
    gathered.copy_own(builder);
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "allgather.ring",
    .wins = "long blocks: every link carries every byte once, and segments leave none idle",
    .generate = generate,
    .segment = Algorithm::Use::may,
};

} // namespace alltold::allgather_ring
