// SPDX-License-Identifier: BSD-3-Clause
// Hand-worked examples under pLogP.
#include <gtest/gtest.h>

#include "ranks.hpp"

using namespace alltold;
using namespace alltold::simulate;

namespace {

/// g(m) = 1 + m seconds, L = 10: integers, so that times can be compared exactly.
const PLogP slow{Estimate::exact(10), SizeCurve::line(1, 1), {}, {}};

Times simulated(Ranks ranks, const Options& options = {}) {
    return timed(graph_of(std::move(ranks)), slow, options);
}

} // namespace

TEST(PLogPNetwork, OneMessage) {
    Ranks ranks(2);
    ranks[0].send(bytes(4), 1);
    ranks[1].receive(into(4), 0);
    const auto times = simulated(std::move(ranks));
    EXPECT_EQ(times.finish_s, (std::vector<double>{5, 15}));
    EXPECT_EQ(times.time_s, 15);
    EXPECT_TRUE(times.ports.empty());
}

TEST(PLogPNetwork, SendingSideSerialises) {
    Ranks ranks(3);
    ranks[0].send(bytes(4), 1);
    ranks[0].send(bytes(2), 2);
    ranks[1].receive(into(4), 0);
    ranks[2].receive(into(2), 0);
    EXPECT_EQ(simulated(std::move(ranks)).finish_s, (std::vector<double>{8, 15, 18}));
}

TEST(PLogPNetwork, ReceivingSideSerialises) {
    Ranks ranks(3);
    ranks[0].send(bytes(4), 2);
    ranks[1].send(bytes(2), 2);
    ranks[2].receive(into(2), 1);
    ranks[2].receive(into(4, 2), 0);
    // Both begin to arrive at 10; of two at one instant the lower sender goes first: 15, then 18.
    EXPECT_EQ(simulated(std::move(ranks)).finish_s, (std::vector<double>{5, 3, 18}));
}

TEST(PLogPNetwork, SidesAreIndependent) {
    Ranks ranks(2);
    for (int rank : {0, 1}) {
        ranks[static_cast<std::size_t>(rank)].receive(into(4), 1 - rank);
        ranks[static_cast<std::size_t>(rank)].send(bytes(4), 1 - rank);
    }
    EXPECT_EQ(simulated(std::move(ranks)).finish_s, (std::vector<double>{15, 15}));
}

TEST(PLogPNetwork, EdgesDelay) {
    Ranks ranks(3);
    ranks[0].send(bytes(4), 1);
    const auto got = ranks[1].receive(into(4), 0);
    ranks[1].send(into(4), 2, {got});
    ranks[2].receive(into(4), 1);
    EXPECT_EQ(simulated(std::move(ranks)).finish_s, (std::vector<double>{5, 20, 30}));
}

/// A chain of four ranks: a message of 4 bytes takes 5 at each of its ends and 10 between.
EventGraph chain() {
    Ranks ranks(4);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        const int before = static_cast<int>(rank) - 1, next = before + 2;
        if (rank == 0)
            ranks[rank].send(bytes(4), next);
        else if (const auto got = ranks[rank].receive(into(4), before); rank < 3)
            ranks[rank].send(into(4), next, {got});
    }
    return graph_of(std::move(ranks));
}

TEST(PLogPNetwork, ALoopOfCallsPaysThePeriodOfTheBusiestRank) {
    const auto graph = chain();
    EXPECT_EQ(timed(graph, slow).time_s, 45);
    EXPECT_EQ(timed(graph.repeated(1), slow).time_s, 45);
    const auto loop = graph.repeated(7);
    EXPECT_EQ(loop.ranks(), 4);
    EXPECT_EQ(loop.size(), 7 * (graph.size() + 4));
    EXPECT_EQ(loop.messages(), 7 * graph.messages());
    EXPECT_EQ(loop.connections(), graph.connections());
    EXPECT_EQ(timed(loop, slow).time_s, 45 + 6 * 5);
    // Work of 2 between calls that overlap: 7 a call, and 2 after the last one.
    EXPECT_EQ(timed(loop, slow, Options{.work_s = 2}).time_s, 45 + 6 * 7 + 2);
}

TEST(PLogPNetwork, CallsOfALoopThatWaitForAllRanksDoNotOverlap) {
    Ranks ranks(2); // there and back
    ranks[0].send(bytes(4), 1);
    ranks[0].receive(into(4), 1);
    const auto got = ranks[1].receive(into(4), 0);
    ranks[1].send(into(4), 0, {got});
    EXPECT_EQ(timed(graph_of(std::move(ranks)).repeated(3), slow).time_s, 3 * 30);
}

TEST(PLogPNetwork, SynchronousSendAsksFirst) {
    // The receiver is ready at 15, when rank 2's message is in; asking takes 2g(1) + 2L = 24.
    Ranks ranks(3);
    ranks[2].send(bytes(4), 1);
    const auto first = ranks[1].receive(into(4), 2);
    ranks[0].send(bytes(4), 1, {}, true);
    ranks[1].receive(into(4, 4), 0, {first});
    EXPECT_EQ(simulated(std::move(ranks)).finish_s, (std::vector<double>{44, 54, 5}));
}

TEST(PLogPNetwork, EagerLimit) {
    const auto with_limit = [](std::uint64_t limit) {
        Ranks ranks(2);
        ranks[0].send(bytes(4), 1);
        ranks[1].receive(into(4), 0);
        return simulated(std::move(ranks), {.eager_limit_bytes = limit}).time_s;
    };
    EXPECT_EQ(with_limit(4), 15);
    EXPECT_EQ(with_limit(3), 39);
}

TEST(PLogPNetwork, SignalsCostAsOneByte) {
    Ranks ranks(2);
    ranks[0].signal(1);
    ranks[1].await(0);
    EXPECT_EQ(simulated(std::move(ranks)).finish_s, (std::vector<double>{2, 12}));
}

TEST(PLogPNetwork, ReadyFirstGoesFirst) {
    // The second signal comes at 14 and the first at 12, while rank 0 sends until 20.
    Ranks ranks(3);
    const auto first = ranks[0].await(2), second = ranks[0].await(2);
    ranks[0].send(bytes(4), 1, {second});
    ranks[0].send(bytes(9), 2, {first});
    ranks[0].send(bytes(19), 1);
    ranks[1].receive(into(4), 0);
    ranks[1].receive(into(19, 4), 0);
    ranks[2].signal(0);
    ranks[2].signal(0);
    ranks[2].receive(into(9), 0);
    EXPECT_EQ(simulated(std::move(ranks)).finish_s, (std::vector<double>{35, 45, 40}));
}

TEST(PLogPNetwork, AtOneInstantTheScheduleDecides) {
    // At 12 the first message has left and the signal is here.
    Ranks ranks(3);
    const auto sent = ranks[0].send(bytes(11), 2);
    const auto asked = ranks[0].await(1);
    ranks[0].send(bytes(4), 2, {sent});
    ranks[0].send(bytes(9), 1, {asked});
    ranks[1].signal(0);
    ranks[1].receive(into(9), 0);
    ranks[2].receive(into(11), 0);
    ranks[2].receive(into(4, 11), 0);
    EXPECT_EQ(simulated(std::move(ranks)).finish_s, (std::vector<double>{27, 37, 27}));
}

TEST(PLogPNetwork, CopiesAreFreeUnlessTheyHaveAPrice) {
    const auto with_price = [](double price) {
        Ranks ranks(2);
        const auto copied = ranks[0].copy_rows(2, bytes(2), 2, {Buffer::scratch, 0, 2}, 2);
        const auto joined = ranks[0].join({copied});
        ranks[0].send({Buffer::scratch, 0, 4}, 1, {joined});
        ranks[1].receive(into(4), 0);
        return simulated(std::move(ranks), {.copy = {0, price}}).time_s;
    };
    EXPECT_EQ(with_price(0), 15);
    EXPECT_EQ(with_price(0.5), 17);
}

TEST(PLogPNetwork, CombinationsOfARankFollowEachOther) {
    const auto with_price = [](double price) {
        Ranks ranks(2);
        const auto first = ranks[0].combine(bytes(4), {Buffer::scratch, 0, 4});
        const auto second = ranks[0].combine(bytes(4), {Buffer::scratch, 4, 4});
        ranks[0].send({Buffer::scratch, 0, 4}, 1, {ranks[0].join({first, second})});
        ranks[1].receive(into(4), 0);
        ranks[1].combine(bytes(2), {Buffer::scratch, 0, 2});
        return simulated(std::move(ranks), {.combine_s_per_byte = price}).time_s;
    };
    EXPECT_EQ(with_price(0), 15);
    EXPECT_EQ(with_price(0.5), 15 + 2 * 4 * 0.5) << "another rank's take no time of this one";
}

TEST(PLogPNetwork, NothingTakesNoTime) {
    EXPECT_EQ(simulated(Ranks(3)).time_s, 0);
}
