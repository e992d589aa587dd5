// SPDX-License-Identifier: BSD-3-Clause
// One leader per host exchanges all blocks of its host, in one message per pair of hosts.
#include "schedule/algorithms/host_exchange.hpp"

namespace alltold::alltoall_host_leader {
namespace {

int carriers(const Clusters& /*clusters*/) {
    return 1;
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.host_leader",
    .collective = Collective::alltoall,
    .wins = "short messages among several ranks per host: the fewest messages on the network",
    .generate = exchange_by_hosts<carriers>,
    .window = Algorithm::Use::may,
    .hosts = Algorithm::Use::must,
    .carriers = carriers,
};

} // namespace alltold::alltoall_host_leader
