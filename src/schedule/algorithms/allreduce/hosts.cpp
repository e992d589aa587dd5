// SPDX-License-Identifier: BSD-3-Clause
// Hosts reduce to shares, combine these around a ring, and spread the results.
#include "schedule/algorithms/by_groups.hpp"

namespace alltold::allreduce_hosts {
namespace {

Schedule generate(const Task& task) {
    return allreduce_by_groups(task, Level::host);
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.hosts",
    .collective = Collective::allreduce,
    .wins =
        "long vectors, several ranks per host: each port carries what one rank per host would send",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::allreduce_hosts
