// SPDX-License-Identifier: BSD-3-Clause
// Ranks of two halves exchange the blocks of the other half, again and again (Thakur, Rabenseifner
// and Gropp 2005), for any number of ranks.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/parts.hpp"

namespace alltold::reduce_scatter_block_recursive_halving {
namespace {

Schedule generate(const Task& task) {
    const auto size = static_cast<std::uint64_t>(task.ranks) * task.size_bytes;
    const auto rounds = halving_rounds(task.rank, task.ranks);
    Builder builder(4 * rounds.size() + 1);
    reduce_scatter(builder, rounds, task.rank,
                   Segments::parts({Buffer::send, 0, size}, task.ranks, task.reduction.unit_bytes),
                   {Buffer::receive, 0, task.size_bytes});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "reduce_scatter_block.recursive_halving",
    .collective = Collective::reduce_scatter_block,
    .wins = "medium blocks and a power of two of ranks: log2 n rounds, and no copies",
    .generate = generate,
};

} // namespace alltold::reduce_scatter_block_recursive_halving
