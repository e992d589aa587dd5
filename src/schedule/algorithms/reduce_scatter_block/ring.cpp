// SPDX-License-Identifier: BSD-3-Clause
// Every block goes once around a ring, in segments, and gets one contribution at each rank.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/block_ring.hpp"
#include "schedule/segments.hpp"

namespace alltold::reduce_scatter_block_ring {
namespace {

Schedule generate(const Task& task) {
    const auto blocks = static_cast<std::uint64_t>(task.ranks);
    const auto size = blocks * task.size_bytes;
    const auto unit = task.reduction.unit_bytes;
    Builder builder(static_cast<std::size_t>(3 * task.ranks));
    const auto passing = task.ranks > 2 ? builder.scratch(size) : Region{};
    BlockRing ring(builder, task.rank, task.ranks);
    ring.reduce_scatter(Segments::parts({Buffer::send, 0, size}, task.ranks, unit),
                        Segments::parts(passing, task.ranks, unit),
                        {Buffer::receive, 0, task.size_bytes});
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes, unit);
}

} // namespace

extern const Algorithm row{
    .name = "reduce_scatter_block.ring",
    .collective = Collective::reduce_scatter_block,
    .wins = "long blocks: every port carries n - 1 blocks each way, from and to one neighbour",
    .generate = generate,
    .segment = Algorithm::Use::may,
};

} // namespace alltold::reduce_scatter_block_ring
