// SPDX-License-Identifier: BSD-3-Clause
// One message per pair of hosts, shared out among the ranks of each host.
#include "schedule/algorithms/host_exchange.hpp"

namespace alltold::alltoall_host_shared {
namespace {

int carriers(const Clusters& clusters) {
    return clusters.most_ranks_of_a_host();
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.host_shared",
    .collective = Collective::alltoall,
    .wins = "short and medium messages among several ranks per host: as host_leader, with the work "
            "spread over the ranks",
    .generate = exchange_by_hosts<carriers>,
    .window = Algorithm::Use::may,
    .hosts = Algorithm::Use::must,
    .carriers = carriers,
};

} // namespace alltold::alltoall_host_shared
