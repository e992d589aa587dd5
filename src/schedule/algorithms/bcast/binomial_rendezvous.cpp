// SPDX-License-Identifier: BSD-3-Clause
// The binomial tree with a request and a reply before each message (Barchet-Steffenel and Mounie
// 2004).
#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_binomial_rendezvous {
namespace {

Schedule generate(const Task& task) {
    return broadcast_along(task, binomial_tree, {.one_by_one = true, .rendezvous = true});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.binomial_rendezvous",
    .collective = Collective::bcast,
    .wins = "as binomial, where receivers must be ready before a long message arrives",
    .generate = generate,
};

} // namespace alltold::bcast_binomial_rendezvous
