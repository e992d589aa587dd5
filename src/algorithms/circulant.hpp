// SPDX-License-Identifier: BSD-3-Clause
// Who passes which block to whom in which round of a round-optimal pipelined broadcast.
#pragma once

#include <cstdint>
#include <vector>

namespace alltold {

/// What one place does in one round. A block or place of -1 is none: the round leaves it out.
struct CirculantRound {
    int to = -1;            ///< the place that gets `sent`
    std::int64_t sent = -1; ///< the number of a block
    int from = -1;          ///< the place that `received` comes from
    std::int64_t received = -1;
};

/// The rounds of `place` when place 0 broadcasts `blocks` blocks (at least 1) to `places` places:
/// blocks - 1 + ceil(log2(places)) of them, the fewest there can be (none for one place). In each a
/// place sends to at most one other and receives from at most one, always a block it has received
/// in an earlier round, and it receives every block once. Takes time in proportion to the rounds
/// and log2(places)^2, without looking at other places.
///
/// Places form a circulant graph: in round k they are skip(k mod q) apart, q = ceil(log2(places)).
/// Jesper Larsson Traeff 2022, "(Poly)Logarithmic Time Construction of Round-optimal n-Block
/// Broadcast Schedules for Broadcast and Irregular Allgather in MPI"; the schedule of what to
/// send is read off the receiver's.
std::vector<CirculantRound> circulant_rounds(int place, int places, std::int64_t blocks);

} // namespace alltold
