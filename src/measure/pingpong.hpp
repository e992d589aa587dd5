// SPDX-License-Identifier: BSD-3-Clause
// The ping-pong probe between two ranks.
#pragma once

#include <vector>

#include "measure/team.hpp"

namespace alltold::measure {

/// Half round trips of one visit.
struct HalfTrips {
    std::vector<double> warm_up_s;
    std::vector<double> times_s;
};

/// Takes this rank's part in a visit to ping-pong `command.point`: single round trips until the
/// connection is warm, then as many repetitions as asked for and as fit into the share, each the
/// mean of as many round trips as fit into 2 ms, at most 10. Rank 0 gets the times, the others
/// nothing. Collective over the pair and rank 0.
Result<HalfTrips> visit_pingpong(Team& team, const Command& command);

} // namespace alltold::measure
