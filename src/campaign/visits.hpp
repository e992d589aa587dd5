// SPDX-License-Identifier: BSD-3-Clause
// The two usual ways to take samples in a visit: one rank times on its own and reports at the end,
// or all ranks start at an agreed instant and rank 0 keeps each repetition.
#pragma once

#include <vector>

#include "campaign/probe.hpp"

namespace alltold::measure {

/// What one rank took by itself.
struct Takings {
    std::vector<double> warm_up;
    std::vector<double> values;
};

/// Brings the takings of world rank `reporter` to rank 0's desk. To be called by every visitor once
/// it is done; only the reporter's `mine` is read. Rank 0 waits asleep, so that it takes no
/// processor from those at work. At most 16 warm-ups beside the repetitions asked for. Collective
/// over the visitors: one message.
Status report(Visit& visit, int reporter, const Takings& mine);

/// Repeats `operation` on the ranks of the point, each time from an agreed instant on, until enough
/// was taken or the time is up; every repetition is kept as it is taken, and taken again where a
/// rank started late. The sample is last finish less that instant, or what `reading` says. A
/// visitor that is no rank of the point only passes messages on. Where the lead is not silence the
/// collective comes some time after the instant, and no start is too late. Collective over the
/// visitors; the messages of lead and join_in.
Status repeat(Visit& visit, const Operation& operation, const Reading& reading = {});

} // namespace alltold::measure
