// SPDX-License-Identifier: BSD-3-Clause
// Every rank passes the message to the next one (Barchet-Steffenel and Mounie 2004, table 1).
#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_chain {
namespace {

Schedule generate(const Task& task) {
    return broadcast_along(task, chain_tree, {.one_by_one = true, .rendezvous = false});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.chain",
    .collective = Collective::bcast,
    .wins = "two or three ranks; otherwise the baseline for chain_segmented",
    .generate = generate,
};

} // namespace alltold::bcast_chain
