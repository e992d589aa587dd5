// SPDX-License-Identifier: BSD-3-Clause
// One message per pair of hosts, shared out among the ranks of each host.
#include "core/limits.hpp"
#include "schedule/algorithms/host_exchange.hpp"

namespace alltold::alltoall_host_shared {
namespace {

Schedule generate(const Task& task) {
    return exchange_by_hosts(task, most_ranks);
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.host_shared",
    .collective = Collective::alltoall,
    .wins = "short and medium messages among several ranks per host: as host_leader, with the work "
            "spread over the ranks",
    .generate = generate,
    .window = Algorithm::Use::may,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::alltoall_host_shared
