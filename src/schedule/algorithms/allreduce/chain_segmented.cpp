// SPDX-License-Identifier: BSD-3-Clause
// Partial results move down a chain to rank 0 and the result up again, in segments that pipeline.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/builder.hpp"
#include "schedule/segments.hpp"

namespace alltold::allreduce_chain_segmented {
namespace {

Schedule generate(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, all{Buffer::receive, 0, task.size_bytes};
    const int below = task.rank - 1, above = task.rank + 1;
    const bool top = above == task.ranks;
    Builder builder;
    Step here = no_step;
    if (!top)
        here = builder.combine(own, all, {builder.receive(all, above)});
    else if (task.rank == 0)
        builder.copy(own, all);
    if (task.rank > 0) {
        const auto sent = builder.send(top ? own : all, below, {here});
        here = builder.receive(all, below, {top ? no_step : sent});
    }
    if (!top)
        builder.send(all, above, {here});
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes,
                     task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.chain_segmented",
    .collective = Collective::allreduce,
    .wins = "very long vectors with an operator that does not commute: every link carries every "
            "byte once",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::allreduce_chain_segmented
