// SPDX-License-Identifier: BSD-3-Clause
// Short reductions and barriers across groups: within each to its head, between heads, and back.
#pragma once

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/groups.hpp"

namespace alltold {

/// How the heads of groups, their lowest ranks, exchange their values.
enum class Heads : std::uint8_t {
    direct,  ///< each sends to all others at once: one latency
    doubling ///< ceil(log2(groups)) rounds in which each has twice as much (Bruck et al. 1997)
};

/// One rank's schedule of a barrier or an allreduce: binomial trees within groups to their heads
/// and back, and `heads` between them. Every head combines what the groups have in the same order,
/// that of ranks.
Schedule through_heads(const Task& task, Level level, Heads heads);

/// The same for a reduce: heads send to the head of the root's group, which combines.
Schedule reduce_through_heads(const Task& task, Level level);

} // namespace alltold
