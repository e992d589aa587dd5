// SPDX-License-Identifier: BSD-3-Clause
// A circulant graph: n - 1 blocks in ceil(log2 n) rounds, the fewest (Traeff 2024).
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/blocks.hpp"

namespace alltold::reduce_scatter_block_circulant {
namespace {

Schedule generate(const Task& task) {
    return reduce_scatter_by(circulant_block_rounds(task.rank, task.ranks), task.rank, task.ranks,
                             task.size_bytes, task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "reduce_scatter_block.circulant",
    .collective = Collective::reduce_scatter_block,
    .wins = "short and medium blocks: ceil(log2 n) rounds for any number of ranks",
    .generate = generate,
};

} // namespace alltold::reduce_scatter_block_circulant
