// SPDX-License-Identifier: BSD-3-Clause
// A binomial tree over intervals of ranks: log2 n rounds in the order of ranks, for any root.
#include "schedule/algorithms/reduce_tree.hpp"

namespace alltold::reduce_binomial {
namespace {

Schedule generate(const Task& task) {
    return reduce_along(task, halved_tree(task.rank, task.ranks, task.root));
}

} // namespace

extern const Algorithm row{
    .name = "reduce.binomial",
    .collective = Collective::reduce,
    .wins = "short vectors from many ranks: the root receives log2 n messages",
    .generate = generate,
    .in_order = true,
};

} // namespace alltold::reduce_binomial
