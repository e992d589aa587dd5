// SPDX-License-Identifier: BSD-3-Clause
// Several leaders per host share the messages to and from other hosts.
#include "schedule/algorithms/host_exchange.hpp"

namespace alltold::alltoall_host_leaders {
namespace {

Schedule generate(const Task& task) {
    return exchange_by_hosts(task, leaders_per_host(*task.parameters.clusters));
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.host_leaders",
    .collective = Collective::alltoall,
    .wins = "short messages among many ranks per host: as host_leader, with the work spread over "
            "the root of their number",
    .generate = generate,
    .window = Algorithm::Use::may,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::alltoall_host_leaders
