// SPDX-License-Identifier: BSD-3-Clause
// A binomial tree among hosts, then one within each host.
#include "schedule/algorithms/host_tree.hpp"

namespace alltold::bcast_host_binomial {
namespace {

Schedule generate(const Task& task) {
    return broadcast_by_hosts(task, binomial_tree, binomial_tree);
}

} // namespace

extern const Algorithm row{
    .name = "bcast.host_binomial",
    .collective = Collective::bcast,
    .wins = "short messages to several ranks per host: log2 rounds of the number of hosts on the "
            "network",
    .generate = generate,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::bcast_host_binomial
