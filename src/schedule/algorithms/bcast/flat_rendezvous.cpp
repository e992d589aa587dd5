// SPDX-License-Identifier: BSD-3-Clause
// The flat tree with a request and a reply before each message (Barchet-Steffenel and Mounie 2004).
#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_flat_rendezvous {
namespace {

Schedule generate(const Task& task) {
    return broadcast_along(task, flat_tree, {.one_by_one = false, .rendezvous = true});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.flat_rendezvous",
    .collective = Collective::bcast,
    .wins = "few ranks that must be ready before a long message arrives",
    .generate = generate,
};

} // namespace alltold::bcast_flat_rendezvous
