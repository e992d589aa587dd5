// SPDX-License-Identifier: BSD-3-Clause
// A circulant graph: n - 1 blocks in ceil(log2 n) rounds, the fewest (Traeff 2024).
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/parts.hpp"

namespace alltold::reduce_scatter_block_circulant {
namespace {

Schedule generate(const Task& task) {
    const auto size = static_cast<std::uint64_t>(task.ranks) * task.size_bytes;
    const auto rounds = circulant_part_rounds(task.rank, task.ranks);
    Builder builder(4 * rounds.size() + 1);
    reduce_scatter(builder, rounds, task.rank,
                   Segments::parts({Buffer::send, 0, size}, task.ranks, task.reduction.unit_bytes),
                   {Buffer::receive, 0, task.size_bytes});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "reduce_scatter_block.circulant",
    .collective = Collective::reduce_scatter_block,
    .wins = "short and medium blocks: ceil(log2 n) rounds for any number of ranks",
    .generate = generate,
};

} // namespace alltold::reduce_scatter_block_circulant
