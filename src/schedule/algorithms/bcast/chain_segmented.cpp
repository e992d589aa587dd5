// SPDX-License-Identifier: BSD-3-Clause
// The pipeline: a chain whose segments follow each other (Barchet-Steffenel and Mounie 2004).
#include "schedule/algorithms/tree.hpp"
#include "schedule/segment.hpp"

namespace alltold::bcast_chain_segmented {
namespace {

Schedule generate(const Task& task) {
    return segmented(broadcast_along(task, chain_tree, {.one_by_one = true}),
                     task.parameters.segment_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "bcast.chain_segmented",
    .collective = Collective::bcast,
    .wins = "long messages: every link carries every byte once, whatever the number of ranks",
    .generate = generate,
    .segment = Algorithm::Use::must,
};

} // namespace alltold::bcast_chain_segmented
