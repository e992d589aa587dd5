// SPDX-License-Identifier: BSD-3-Clause
// A chain: each rank passes on what lower ranks and itself have, segment after segment.
#include "schedule/algorithms/prefix.hpp"

namespace alltold::scan_chain_segmented {
namespace {

Schedule generate(const Task& task) {
    return prefix_chain(task, true);
}

} // namespace

extern const Algorithm row{
    .name = "scan.chain_segmented",
    .collective = Collective::scan,
    .wins = "long vectors: every link carries every byte once",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::scan_chain_segmented
