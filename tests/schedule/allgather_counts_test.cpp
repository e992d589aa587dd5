// SPDX-License-Identifier: BSD-3-Clause
// Messages, bytes of each rank and rounds of allgathers and barriers are those the papers count.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "powers.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/matching.hpp"

using namespace alltold;
using test::ceil_log2;
using test::floor_log2;
using test::is_power_of_two;

namespace {

constexpr int most_ranks = 33;
constexpr std::uint64_t block_bytes = 12;

/// What a call amounts to.
struct GatherCounts {
    int rounds = 0; ///< messages of which each waits for the one before, on any ranks
    int messages = 0;
    std::vector<int> sends; ///< by rank
    std::vector<std::uint64_t> sent_bytes, received_bytes;
    std::vector<std::uint64_t> copied_bytes;
};

/// Follows what waits for what, without limits of ports: a message comes one round after all that
/// either of its ends waits for.
class FreeRounds {
  public:
    explicit FreeRounds(std::span<const Schedule> schedules)
        : schedules_(schedules), matching_(schedules) {
        EXPECT_FALSE(matching_.pair_up());
        round_.assign(static_cast<std::size_t>(matching_.size()), -1);
    }

    int of(Place place) {
        auto& round = round_[static_cast<std::size_t>(matching_.index(place.rank, place.step))];
        if (round >= 0)
            return round;
        round = started(place);
        if (schedules_[static_cast<std::size_t>(place.rank)][place.step].is_message())
            round = 1 + std::max(round, started(matching_.partner(place.rank, place.step)));
        return round;
    }

  private:
    int started(Place place) {
        int latest = 0;
        for (const auto earlier :
             schedules_[static_cast<std::size_t>(place.rank)].after(place.step))
            latest = std::max(latest, of({place.rank, earlier}));
        return latest;
    }

    std::span<const Schedule> schedules_;
    Matching matching_;
    std::vector<int> round_;
};

GatherCounts counts_of(std::string_view name, int ranks, const Parameters& parameters = {}) {
    const auto* algorithm = *find_algorithm(name);
    const auto spec = Specification::of(algorithm->collective, ranks, 0, block_bytes);
    const auto schedules = schedules_of(*algorithm, spec, parameters);
    const auto fault = check(spec, schedules);
    EXPECT_FALSE(fault) << name << " " << ranks << ": " << fault->text();
    FreeRounds rounds(schedules);
    GatherCounts counts;
    for (int rank = 0; rank < ranks; ++rank) {
        std::uint64_t sent_bytes = 0, received_bytes = 0, copied_bytes = 0;
        int sends = 0;
        const auto& schedule = schedules[static_cast<std::size_t>(rank)];
        for (int step = 0; step < schedule.size(); ++step) {
            const auto& operation = schedule[step];
            counts.rounds = std::max(counts.rounds, rounds.of({rank, step}));
            sends += operation.is_outgoing();
            (operation.is_outgoing()   ? sent_bytes
             : operation.is_incoming() ? received_bytes
                                       : copied_bytes) += operation.region.size_bytes;
        }
        counts.messages += sends;
        counts.sends.push_back(sends);
        counts.sent_bytes.push_back(sent_bytes);
        counts.received_bytes.push_back(received_bytes);
        counts.copied_bytes.push_back(copied_bytes);
    }
    return counts;
}

/// The same for every rank.
template <typename Number>
std::vector<Number> each(int ranks, Number number) {
    return std::vector<Number>(static_cast<std::size_t>(ranks), number);
}

std::uint64_t others_bytes(int ranks) {
    return static_cast<std::uint64_t>(ranks - 1) * block_bytes;
}

TEST(AllgatherCounts, EveryRankReceivesEachOtherBlockOnce) {
    for (const auto* algorithm : registry()) {
        if (algorithm->collective != Collective::allgather || algorithm->takes_clusters())
            continue;
        for (int n = 1; n <= most_ranks; ++n)
            EXPECT_EQ(counts_of(algorithm->name, n).received_bytes, each(n, others_bytes(n)))
                << algorithm->name << " " << n;
    }
}

TEST(AllgatherCounts, AllButDoublingSendAsMuchFromEveryRank) {
    for (const auto* name : {"allgather.ring", "allgather.bruck", "allgather.neighbor_exchange",
                             "allgather.circulant", "allgather.direct"})
        for (int n = 1; n <= most_ranks; ++n)
            EXPECT_EQ(counts_of(name, n).sent_bytes, each(n, others_bytes(n))) << name << " " << n;
}

TEST(AllgatherCounts, RingTakesOneRoundPerOtherRank) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto ring = counts_of("allgather.ring", n);
        EXPECT_EQ(ring.rounds, n - 1) << n;
        EXPECT_EQ(ring.sends, each(n, n - 1)) << n;
    }
}

TEST(AllgatherCounts, SegmentsOfARingDoNotWaitForEachOther) {
    for (int n = 2; n <= most_ranks; ++n) {
        const auto ring = counts_of("allgather.ring", n, {.segment_bytes = block_bytes / 3});
        EXPECT_EQ(ring.rounds, n - 1) << n;
        EXPECT_EQ(ring.sends, each(n, 3 * (n - 1))) << n;
    }
}

TEST(AllgatherCounts, RoundsThatGrowAreTheFewest) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto bruck = counts_of("allgather.bruck", n);
        EXPECT_EQ(bruck.rounds, ceil_log2(n)) << n;
        EXPECT_EQ(bruck.sends, each(n, ceil_log2(n))) << n;
        const auto circulant = counts_of("allgather.circulant", n);
        EXPECT_EQ(circulant.rounds, ceil_log2(n)) << n;
        EXPECT_EQ(circulant.copied_bytes, each(n, block_bytes)) << n;
        // In a round of c blocks, those of c - 1 ranks go around the end of the buffer.
        int messages = n * ceil_log2(n);
        for (int held = n; held > 1; held = (held + 1) / 2)
            messages += held - (held + 1) / 2 - 1;
        EXPECT_EQ(circulant.messages, messages) << n;
    }
}

TEST(AllgatherCounts, DoublingFoldsWhatIsNoPowerOfTwo) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto doubling = counts_of("allgather.recursive_doubling", n);
        const int rounds = floor_log2(n), places = 1 << rounds, folded = n - places;
        EXPECT_EQ(doubling.rounds, rounds + (is_power_of_two(n) ? 0 : 2)) << n;
        EXPECT_EQ(doubling.messages, places * rounds + std::max(0, 3 * folded - 1)) << n;
        std::vector<std::uint64_t> bytes;
        for (int place = 0; place < places; ++place) {
            int blocks = 0;
            for (int width = 1; width < places; width *= 2) {
                const int first = place / width * width;
                blocks += width + std::clamp(folded - first, 0, width);
            }
            const bool pair = place < folded;
            if (pair)
                bytes.push_back(block_bytes);
            bytes.push_back(static_cast<std::uint64_t>(blocks + (pair ? n - 1 : 0)) * block_bytes);
        }
        EXPECT_EQ(doubling.sent_bytes, bytes) << n;
    }
}

TEST(AllgatherCounts, NeighborsExchangeInHalfTheRounds) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto exchange = counts_of("allgather.neighbor_exchange", n);
        EXPECT_EQ(exchange.rounds, n / 2) << n;
        EXPECT_EQ(exchange.sends, each(n, n % 2 == 0 ? n / 2 : n - 1)) << n;
    }
}

TEST(AllgatherCounts, NeighborsExchangeWithNeighborsOnly) {
    for (int n = 2; n <= most_ranks; ++n)
        for (int rank = 0; rank < n; ++rank) {
            const auto schedule =
                schedule_of(**find_algorithm("allgather.neighbor_exchange"),
                            Specification::of(Collective::allgather, n, 0, block_bytes), {}, rank);
            for (const auto& operation : schedule.operations())
                EXPECT_TRUE(!operation.is_message() || operation.peer == (rank + 1) % n ||
                            operation.peer == (rank + n - 1) % n);
        }
}

TEST(AllgatherCounts, DirectTakesOneRoundAndWithAWindowAsManyAsItHolds) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto direct = counts_of("allgather.direct", n);
        EXPECT_EQ(direct.rounds, n > 1 ? 1 : 0) << n;
        EXPECT_EQ(direct.sends, each(n, n - 1)) << n;
        for (const int window : {1, 2, 5}) {
            const auto paced = counts_of("allgather.direct", n, {.window = window});
            EXPECT_EQ(paced.rounds, (n - 1 + window - 1) / window) << n << " " << window;
            EXPECT_EQ(paced.messages, direct.messages);
        }
    }
}

TEST(AllgatherCounts, DirectSendsToAnotherRankFromEachAtATime) {
    constexpr int n = 12;
    std::vector<std::vector<int>> order;
    for (int rank = 0; rank < n; ++rank) {
        order.emplace_back();
        const auto schedule =
            schedule_of(**find_algorithm("allgather.direct"),
                        Specification::of(Collective::allgather, n, 0, block_bytes), {}, rank);
        for (const auto& operation : schedule.operations())
            if (operation.is_outgoing())
                order.back().push_back(operation.peer);
    }
    for (std::size_t turn = 0; turn + 1 < n; ++turn) {
        std::set<int> receivers;
        for (const auto& peers : order)
            receivers.insert(peers[turn]);
        EXPECT_EQ(receivers.size(), static_cast<std::size_t>(n)) << turn;
    }
}

TEST(BarrierCounts, DisseminationSignalsOnceARoundFromEveryRank) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto barrier = counts_of("barrier.dissemination", n);
        EXPECT_EQ(barrier.rounds, ceil_log2(n)) << n;
        EXPECT_EQ(barrier.sends, each(n, ceil_log2(n))) << n;
    }
}

TEST(BarrierCounts, BinomialSignalsOnceUpAndOnceDown) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto barrier = counts_of("barrier.binomial", n);
        EXPECT_EQ(barrier.messages, 2 * (n - 1)) << n;
        int depth = 0;
        for (unsigned rank = 0; rank < static_cast<unsigned>(n); ++rank)
            depth = std::max(depth, std::popcount(rank));
        EXPECT_EQ(barrier.rounds, 2 * depth) << n;
        EXPECT_LE(barrier.sends.front(), ceil_log2(n)) << n;
    }
}

TEST(BarrierCounts, FlatTakesTwoRoundsThroughRank0) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto barrier = counts_of("barrier.flat", n);
        EXPECT_EQ(barrier.rounds, n > 1 ? 2 : 0) << n;
        EXPECT_EQ(barrier.messages, 2 * (n - 1)) << n;
        EXPECT_EQ(barrier.sends.front(), n - 1) << n;
    }
}

TEST(BarrierCounts, DoublingSignalsBeforeAndAfterWhereRanksAreNoPowerOfTwo) {
    for (int n = 1; n <= most_ranks; ++n) {
        const auto barrier = counts_of("barrier.recursive_doubling", n);
        const int rounds = floor_log2(n), places = 1 << rounds;
        EXPECT_EQ(barrier.rounds, rounds + (is_power_of_two(n) ? 0 : 2)) << n;
        EXPECT_EQ(barrier.messages, places * rounds + 2 * (n - places)) << n;
    }
}

} // namespace
