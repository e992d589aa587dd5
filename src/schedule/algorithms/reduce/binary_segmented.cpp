// SPDX-License-Identifier: BSD-3-Clause
// A binary search tree of ranks, in the order of ranks, in segments that pipeline.
#include "schedule/algorithms/reduce_tree.hpp"
#include "schedule/segment.hpp"

namespace alltold::reduce_binary_segmented {
namespace {

Schedule generate(const Task& task) {
    return segmented(reduce_along(task, search_tree(task.rank, task.ranks, task.root)),
                     task.parameters.segment_bytes, task.reduction.unit_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "reduce.binary_segmented",
    .collective = Collective::reduce,
    .wins = "medium vectors from many ranks, with an operator that does not commute",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::reduce_binary_segmented
