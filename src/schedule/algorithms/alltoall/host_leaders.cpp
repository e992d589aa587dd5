// SPDX-License-Identifier: BSD-3-Clause
// Several leaders per host share the messages to and from other hosts.
#include <cmath>

#include "schedule/algorithms/host_exchange.hpp"

namespace alltold::alltoall_host_leaders {
namespace {

/// The square root of the ranks on the fullest host, rounded up, so that both a host's messages and
/// their bytes are divided among several.
int carriers(const Clusters& clusters) {
    return static_cast<int>(std::ceil(std::sqrt(clusters.most_ranks_of_a_host())));
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.host_leaders",
    .collective = Collective::alltoall,
    .wins = "short messages among many ranks per host: as host_leader, with the work spread over "
            "the root of their number",
    .generate = exchange_by_hosts<carriers>,
    .window = Algorithm::Use::may,
    .hosts = Algorithm::Use::must,
    .carriers = carriers,
};

} // namespace alltold::alltoall_host_leaders
