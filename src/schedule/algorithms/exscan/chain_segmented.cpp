// SPDX-License-Identifier: BSD-3-Clause
// A chain: each rank passes on what lower ranks and itself have, segment after segment.
#include "schedule/algorithms/prefix.hpp"

namespace alltold::exscan_chain_segmented {
namespace {

Schedule generate(const Task& task) {
    return prefix_chain(task, false);
}

} // namespace

extern const Algorithm row{
    .name = "exscan.chain_segmented",
    .collective = Collective::exscan,
    .wins = "long vectors: every link carries every byte once",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::exscan_chain_segmented
