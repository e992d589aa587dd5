// SPDX-License-Identifier: BSD-3-Clause
// Hosts reduce to shares, which move from host to host towards the root.
#include "schedule/algorithms/by_groups.hpp"

namespace alltold::reduce_hosts {
namespace {

Schedule generate(const Task& task) {
    return reduce_by_groups(task, Level::host);
}

} // namespace

extern const Algorithm row{
    .name = "reduce.hosts",
    .collective = Collective::reduce,
    .wins = "long vectors, several ranks per host: reduced in memory, every port carries every "
            "byte once",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::reduce_hosts
