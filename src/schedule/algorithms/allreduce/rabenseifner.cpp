// SPDX-License-Identifier: BSD-3-Clause
// A reduce-scatter by recursive halving and the allgather backwards (Rabenseifner 2004).
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/blocks.hpp"

namespace alltold::allreduce_rabenseifner {
namespace {

Schedule generate(const Task& task) {
    return allreduce_by(halving_rounds(task.rank, task.ranks), task.rank, task.ranks,
                        task.size_bytes, task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.rabenseifner",
    .collective = Collective::allreduce,
    .wins = "medium vectors and a power of two of ranks: 2 log2 n rounds, and no copies",
    .generate = generate,
};

} // namespace alltold::allreduce_rabenseifner
