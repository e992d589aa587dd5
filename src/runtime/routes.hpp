// SPDX-License-Identifier: BSD-3-Clause
// Messages of several communicators on one that they share.
#pragma once

#include <vector>

#include "schedule/schedule.hpp"

namespace alltold {

/// Where the ranks of a communicator are on a larger one. Each rank has, for each of its
/// communicators, tags of its own, with which the others send to it. So the ranks of a communicator
/// need not agree on tags.
struct Routes {
    struct Peer {
        int rank = 0;      ///< on the larger communicator
        int first_tag = 0; ///< of what it receives
    };
    std::vector<Peer> peers; ///< by rank of schedules
    int tags_per_call = 0;
};

/// The schedule of rank `own` with the peers and tags of the larger communicator.
Schedule routed(const Schedule& schedule, const Routes& routes, int own);

} // namespace alltold
