// SPDX-License-Identifier: BSD-3-Clause
// The binomial tree with messages cut into segments that pipeline (Barchet-Steffenel and Mounie
// 2004).
#include "schedule/algorithms/tree.hpp"
#include "schedule/segment.hpp"

namespace alltold::bcast_binomial_segmented {
namespace {

Schedule generate(const Task& task) {
    return segmented(broadcast_along(task, binomial_tree, {.one_by_one = true}),
                     task.parameters.segment_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "bcast.binomial_segmented",
    .collective = Collective::bcast,
    .wins = "medium messages to many ranks, long enough to be worth pipelining",
    .generate = generate,
    .segment = Algorithm::Use::must,
};

} // namespace alltold::bcast_binomial_segmented
