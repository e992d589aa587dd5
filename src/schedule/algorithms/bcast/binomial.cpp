// SPDX-License-Identifier: BSD-3-Clause
// A binomial tree, largest subtree first (Barchet-Steffenel and Mounie 2004, table 1).
#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_binomial {
namespace {

Schedule generate(const Task& task) {
    return broadcast_along(task, binomial_tree, {.one_by_one = true, .rendezvous = false});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.binomial",
    .collective = Collective::bcast,
    .wins =
        "short messages to many ranks: log2 n rounds, in which every rank that has the data sends",
    .generate = generate,
};

} // namespace alltold::bcast_binomial
