// SPDX-License-Identifier: BSD-3-Clause
// The flat tree with messages cut into segments (Barchet-Steffenel and Mounie 2004).
#include "schedule/algorithms/tree.hpp"
#include "schedule/segment.hpp"

namespace alltold::bcast_flat_segmented {
namespace {

Schedule generate(const Task& task) {
    return segmented(broadcast_along(task, flat_tree, {.one_by_one = false}),
                     task.parameters.segment_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "bcast.flat_segmented",
    .collective = Collective::bcast,
    .wins =
        "few ranks on a network that handles long messages badly, such as by overrunning buffers",
    .generate = generate,
    .segment = Algorithm::Use::must,
};

} // namespace alltold::bcast_flat_segmented
