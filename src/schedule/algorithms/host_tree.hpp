// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts along one tree among hosts and one within each host.
#pragma once

#include "schedule/algorithms/tree.hpp"

namespace alltold {

/// One rank's schedule of a broadcast along tree `among` the leaders of hosts and tree `within`
/// each host, rooted at its leader: the root on its own host, the lowest rank on others. Places of
/// `among` are hosts cluster by cluster from the root's on, so that a chain crosses to each other
/// cluster once. A leader forwards the block to other hosts and within its own at the same time,
/// because copies within a host do not use its port.
Schedule broadcast_by_hosts(const Task& task, Tree among, Tree within);

} // namespace alltold
