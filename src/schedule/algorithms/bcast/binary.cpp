// SPDX-License-Identifier: BSD-3-Clause
// A binary tree (Barchet-Steffenel and Mounie 2004, table 1).
#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_binary {
namespace {

Schedule generate(const Task& task) {
    return broadcast_along(task, binary_tree, {.one_by_one = true, .rendezvous = false});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.binary",
    .collective = Collective::bcast,
    .wins = "many ranks and medium messages, where no rank should send more than twice",
    .generate = generate,
};

} // namespace alltold::bcast_binary
