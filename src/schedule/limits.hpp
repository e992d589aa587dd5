// SPDX-License-Identifier: BSD-3-Clause
// Checks that schedules keep no more messages in flight than their window allows.
#pragma once

#include <optional>
#include <span>

#include "schedule/check.hpp"
#include "schedule/matching.hpp"
#include "schedule/races.hpp"

namespace alltold {

/// Fails when some send (or receive) of data is not after the one `window` sends (or receives)
/// earlier, so that more than `window` may be in flight; a window of 0 is no limit.
std::optional<Fault> exceeds_per_rank(const Schedule& schedule, const LocalOrder& order, int rank,
                                      int window);

/// Fails when, of the senders of data to `root` in the order of their distance behind it, one does
/// not start after the one `window` places earlier is done; a window of 0 is no limit.
std::optional<Fault> exceeds_into_root(std::span<const Schedule> schedules,
                                       const Matching& matching, int root, int window);

} // namespace alltold
