// SPDX-License-Identifier: BSD-3-Clause
// Collectives across clusters or hosts, composed of phases within groups and between them.
#pragma once

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/groups.hpp"

namespace alltold {

/// One rank's schedule of an allreduce: groups reduce to shares, exchange shares, and spread the
/// results. Every rank carries as much between groups as others of its group. Of two groups each
/// sends every byte once to the other; more groups combine shares around a ring. Segments of at
/// most Parameters::segment_bytes let the phases overlap.
Schedule allreduce_by_groups(const Task& task, Level level);

/// A reduce: other groups reduce to shares, which move from group to group towards the root's. They
/// enter there at the rank after the root, from which all moves along a chain to the root.
Schedule reduce_by_groups(const Task& task, Level level);

/// An allgather: every block moves from group to group and, from the rank where it arrives, around
/// the ranks of each group.
Schedule allgather_by_groups(const Task& task, Level level);

/// The mirror: a reduce_scatter_block.
Schedule reduce_scatter_block_by_groups(const Task& task, Level level);

} // namespace alltold
