// SPDX-License-Identifier: BSD-3-Clause
// All-to-all with one message for each ordered pair of hosts.
#pragma once

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// One rank's schedule of an all-to-all in which a carrier on each host collects the blocks of its
/// ranks for another host and sends them in one message; a carrier there hands them out. Up to
/// `carriers` (at least 1) ranks of a host, its lowest, share the other hosts: with k of them,
/// number B mod k carries what goes to host B and what comes from it. Hosts exchange in rotated
/// order; a carrier has at most parameters.window messages with other hosts in flight in each
/// direction (0: no limit). Blocks within a host go directly.
Schedule exchange_by_hosts(const Task& task, int carriers);

/// The same with as many carriers as `carriers` gives, an Algorithm's.
template <int (*carriers)(const Clusters&)>
Schedule exchange_by_hosts(const Task& task) {
    return exchange_by_hosts(task, carriers(*task.parameters.clusters));
}

} // namespace alltold
