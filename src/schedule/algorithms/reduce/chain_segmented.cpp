// SPDX-License-Identifier: BSD-3-Clause
// The pipeline: partial results move along a chain towards the root, segment after segment.
#include "schedule/algorithms/ring.hpp"
#include "schedule/segment.hpp"

namespace alltold::reduce_chain_segmented {
namespace {

/// Each rank combines what the rest of the chain has with its own contribution.
Schedule generate(const Task& task) {
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    const Region own{Buffer::send, 0, task.size_bytes};
    Builder builder;
    Step last = no_step;
    Region combined = own;
    if (place + 1 < task.ranks) {
        combined = place == 0 ? Region{Buffer::receive, 0, task.size_bytes}
                              : builder.scratch(task.size_bytes);
        last = builder.receive(combined, ring.rank_at(place + 1));
        last = builder.combine(own, combined, {last});
    } else if (place == 0) {
        builder.copy(own, {Buffer::receive, 0, task.size_bytes});
    }
    if (place > 0)
        builder.send(combined, ring.rank_at(place - 1), {last});
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes,
                     task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "reduce.chain_segmented",
    .collective = Collective::reduce,
    .wins = "long vectors: every link carries every byte once, whatever the number of ranks",
    .generate = generate,
    .segment = Algorithm::Use::must,
};

} // namespace alltold::reduce_chain_segmented
