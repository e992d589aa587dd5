// SPDX-License-Identifier: BSD-3-Clause
// The chain with a request and a reply before each hop (Barchet-Steffenel and Mounie 2004).
#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_chain_rendezvous {
namespace {

Schedule generate(const Task& task) {
    return broadcast_along(task, chain_tree, {.one_by_one = true, .rendezvous = true});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.chain_rendezvous",
    .collective = Collective::bcast,
    .wins = "as chain, where the next rank must be ready before a long message arrives",
    .generate = generate,
};

} // namespace alltold::bcast_chain_rendezvous
