// SPDX-License-Identifier: BSD-3-Clause
// Every block moves once from host to host and around the ranks of each.
#include "schedule/algorithms/by_groups.hpp"

namespace alltold::allgather_hosts {
namespace {

Schedule generate(const Task& task) {
    return allgather_by_groups(task, Level::host);
}

} // namespace

extern const Algorithm row{
    .name = "allgather.hosts",
    .collective = Collective::allgather,
    .wins =
        "several ranks per host: every port carries every block once, the rest goes through memory",
    .generate = generate,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::allgather_hosts
