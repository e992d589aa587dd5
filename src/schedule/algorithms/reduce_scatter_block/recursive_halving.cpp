// SPDX-License-Identifier: BSD-3-Clause
// Ranks of two halves exchange the blocks of the other half, again and again (Thakur, Rabenseifner
// and Gropp 2005), for any number of ranks.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/blocks.hpp"

namespace alltold::reduce_scatter_block_recursive_halving {
namespace {

Schedule generate(const Task& task) {
    return reduce_scatter_by(halving_rounds(task.rank, task.ranks), task.rank, task.ranks,
                             task.size_bytes, task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "reduce_scatter_block.recursive_halving",
    .collective = Collective::reduce_scatter_block,
    .wins = "medium blocks and a power of two of ranks: log2 n rounds, and no copies",
    .generate = generate,
};

} // namespace alltold::reduce_scatter_block_recursive_halving
