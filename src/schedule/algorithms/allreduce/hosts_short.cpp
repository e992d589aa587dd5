// SPDX-License-Identifier: BSD-3-Clause
// Hosts reduce to one rank each; these double what they have in each round.
#include "schedule/algorithms/through_heads.hpp"

namespace alltold::allreduce_hosts_short {
namespace {

Schedule generate(const Task& task) {
    return through_heads(task, Level::host, Heads::doubling);
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.hosts_short",
    .collective = Collective::allreduce,
    .wins =
        "short vectors, several ranks per host: log2 rounds of the number of hosts on the network",
    .generate = generate,
    .hosts = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::allreduce_hosts_short
