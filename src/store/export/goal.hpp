// SPDX-License-Identifier: BSD-3-Clause
// Schedules in GOAL, the language of LogGOPSim (Hoefler et al. 2010).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "schedule/schedule.hpp"

namespace alltold {

inline constexpr std::string_view goal_mark = "num_ranks";

/// One block per rank, its operations labelled l0, l1, ... Signals are messages of one byte, since
/// LogGOPSim has none of no bytes; copies and joins take no time.
std::string goal_text(std::span<const Schedule> schedules);

} // namespace alltold
