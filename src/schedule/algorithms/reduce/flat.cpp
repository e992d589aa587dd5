// SPDX-License-Identifier: BSD-3-Clause
// Every rank sends its contribution straight to the root.
#include "schedule/algorithms/reduce_tree.hpp"

namespace alltold::reduce_flat {
namespace {

Schedule generate(const Task& task) {
    return reduce_along(task, star_tree(task.rank, task.ranks, task.root));
}

} // namespace

extern const Algorithm row{
    .name = "reduce.flat",
    .collective = Collective::reduce,
    .wins = "few ranks and short vectors, where a latency is long: one of them in all",
    .generate = generate,
    .in_order = true,
};

} // namespace alltold::reduce_flat
