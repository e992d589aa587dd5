// SPDX-License-Identifier: BSD-3-Clause
// The root sends to every rank itself (Barchet-Steffenel and Mounie 2004, table 1).
#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_flat {
namespace {

Schedule generate(const Task& task) {
    return broadcast_along(task, flat_tree, {.one_by_one = false, .rendezvous = false});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.flat",
    .collective = Collective::bcast,
    .wins = "few ranks and short messages: one latency, but the root sends all bytes",
    .generate = generate,
};

} // namespace alltold::bcast_flat
