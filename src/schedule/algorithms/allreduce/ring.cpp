// SPDX-License-Identifier: BSD-3-Clause
// A reduce-scatter and an allgather around a ring (Patarasuk and Yuan 2009), in segments, so that a
// rank passes on while it receives.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/block_ring.hpp"
#include "schedule/segments.hpp"

namespace alltold::allreduce_ring {
namespace {

Schedule generate(const Task& task) {
    const auto blocks_of = [&](Buffer buffer) {
        return Segments::parts({buffer, 0, task.size_bytes}, task.ranks, task.reduction.unit_bytes);
    };
    Builder builder(static_cast<std::size_t>(5 * task.ranks));
    BlockRing ring(builder, task.rank, task.ranks);
    const auto all = blocks_of(Buffer::receive);
    ring.allgather(all, ring.reduce_scatter(blocks_of(Buffer::send), all, all.at(task.rank)));
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes,
                     task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.ring",
    .collective = Collective::allreduce,
    .wins = "long vectors: every port carries 2 (n-1)/n of the bytes each way, from and to one "
            "neighbour",
    .generate = generate,
    .segment = Algorithm::Use::may,
};

} // namespace alltold::allreduce_ring
