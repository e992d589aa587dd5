// SPDX-License-Identifier: BSD-3-Clause
// A reduce-scatter over a circulant graph and the allgather backwards (Traeff 2024).
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/blocks.hpp"

namespace alltold::allreduce_circulant {
namespace {

Schedule generate(const Task& task) {
    return allreduce_by(circulant_block_rounds(task.rank, task.ranks), task.rank, task.ranks,
                        task.size_bytes, task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.circulant",
    .collective = Collective::allreduce,
    .wins =
        "medium vectors and any number of ranks: 2 ceil(log2 n) rounds of 2 (n-1)/n of the bytes",
    .generate = generate,
};

} // namespace alltold::allreduce_circulant
