// SPDX-License-Identifier: BSD-3-Clause
// The rounds of a round-optimal pipelined broadcast: who sends which block to whom.
#pragma once

#include "schedule/segments.hpp"

namespace alltold {

/// skip(k) for k = 0 .. q, q = ceil(log2(places)): the distance of the places paired in round k.
/// skip(q) is `places`, and each is half the next, rounded up.
std::vector<int> circulant_skips(int places);

/// One place's part in one round. A block or place of -1 means no message.
struct CirculantRound {
    int to = -1;            ///< the place that gets `sent`
    std::int64_t sent = -1; ///< the number of a block
    int from = -1;          ///< the place that `received` comes from
    std::int64_t received = -1;
};

/// The rounds of `place` when place 0 broadcasts `blocks` blocks (at least 1) to `places` places:
/// blocks - 1 + ceil(log2(places)) of them, the fewest there can be (none for one place). In each a
/// place sends to at most one other and receives from at most one, always a block it has received
/// in an earlier round, and every place but 0 receives every block once. The rounds
/// include messages to place 0 although it needs none: every block but the last returns to it once,
/// over links that would be idle; a caller may use these links otherwise. Takes time proportional
/// to the rounds and log2(places)^2, and computes nothing for other places.
///
/// Places form a circulant graph: in round k they are skip(k mod q) apart, q = ceil(log2(places)).
/// Jesper Larsson Traeff 2022, "(Poly)Logarithmic Time Construction of Round-optimal n-Block
/// Broadcast Schedules for Broadcast and Irregular Allgather in MPI"; the send schedule is
/// derived from the receiver's.
std::vector<CirculantRound> circulant_rounds(int place, int places, std::int64_t blocks);

/// Adds these rounds to a schedule: `here[b]` is the step after which block b can be sent, and is
/// filled in as blocks are received; `rank_at(place)` is a rank; `give_back(block, after)` replaces
/// messages to place 0. Rounds fix who sends what to whom but not when: a block is forwarded as
/// soon as it arrives. Synchronised rounds would each take a latency.
template <typename RankAt, typename GiveBack>
void add_rounds(Builder& builder, std::span<const CirculantRound> rounds, int place,
                const Segments& segments, std::vector<Step>& here, RankAt rank_at,
                GiveBack give_back) {
    for (const auto& round : rounds) {
        const auto step_of = [&](std::int64_t block) -> Step& {
            return here[static_cast<std::size_t>(block)];
        };
        if (round.to > 0)
            builder.send(segments.at(round.sent), rank_at(round.to), {step_of(round.sent)});
        else if (round.to == 0)
            give_back(round.sent, step_of(round.sent));
        if (round.from >= 0 && place != 0)
            step_of(round.received) =
                builder.receive(segments.at(round.received), rank_at(round.from));
    }
}

} // namespace alltold
