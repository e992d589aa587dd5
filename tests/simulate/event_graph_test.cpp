// SPDX-License-Identifier: BSD-3-Clause
// Packing of schedules, and the errors of those that cannot be simulated.
#include <gtest/gtest.h>

#include "ranks.hpp"

using namespace alltold;
using namespace alltold::simulate;

namespace {

std::string failure(Ranks ranks) {
    std::vector<Schedule> schedules;
    for (auto& builder : ranks)
        schedules.push_back(std::move(builder).finish());
    const auto graph = EventGraph::of(schedules);
    if (!graph)
        return graph.error().message;
    const auto times = run(*graph, PLogP{});
    return times ? "" : times.error().message;
}

} // namespace

TEST(EventGraph, PairsInOrderOfOperations) {
    Ranks ranks(3);
    ranks[0].send(bytes(1), 2);
    ranks[0].send(bytes(2), 1);
    ranks[0].send(bytes(3), 2);
    ranks[1].receive(into(2), 0);
    ranks[1].send(bytes(4), 2);
    ranks[2].receive(into(4), 1);
    const auto first = ranks[2].receive(into(1, 4), 0);
    ranks[2].receive(into(3, 5), 0, {first});
    const auto graph = graph_of(std::move(ranks));
    EXPECT_EQ(graph.ranks(), 3);
    EXPECT_EQ(graph.size(), 8);
    EXPECT_EQ(graph.messages(), 4);
    for (const auto& [send, receive] : {std::pair(0, 6), {1, 3}, {2, 7}, {4, 5}}) {
        EXPECT_EQ(graph[send].partner, receive);
        EXPECT_EQ(graph[receive].partner, send);
        EXPECT_EQ(graph[send].size_bytes, graph[receive].size_bytes);
    }
    ASSERT_EQ(graph.followers(6).size(), 1U);
    EXPECT_EQ(graph.followers(6)[0], 7);
    EXPECT_TRUE(graph.followers(7).empty());
    EXPECT_EQ(graph[7].waits_for, 1);
}

TEST(EventGraph, NamesMessagesWithoutAnOtherEnd) {
    Ranks ranks(2);
    ranks[0].send(bytes(1), 1);
    ranks[0].signal(1);
    ranks[1].receive(into(1), 0);
    EXPECT_EQ(failure(std::move(ranks)),
              "rank 0, operation 1 (signal to rank 1): has no matching operation");
    ranks = Ranks(2);
    ranks[1].receive(into(1), 0);
    EXPECT_EQ(failure(std::move(ranks)),
              "rank 1, operation 0 (receive of 1 B from rank 0): has no matching operation");
    ranks = Ranks(2);
    ranks[1].signal(2);
    EXPECT_EQ(failure(std::move(ranks)),
              "rank 1, operation 0 (signal to rank 2): its peer is not one of the ranks 0 to 1");
}

TEST(EventGraph, NamesMessagesOfTwoSizes) {
    Ranks ranks(2);
    ranks[0].send(bytes(1), 1);
    ranks[1].receive(into(2), 0);
    EXPECT_EQ(failure(std::move(ranks)), "rank 0, operation 0 (send of 1 B to rank 1): does not "
                                         "match rank 1, operation 0 (receive of 2 B from rank 0)");
}

TEST(EventGraph, NamesWhatWaitsForEver) {
    Ranks ranks(3); // each receives from the one before it before it sends
    for (int rank = 0; rank < 3; ++rank) {
        auto& builder = ranks[static_cast<std::size_t>(rank)];
        const auto got = builder.receive(into(8), (rank + 2) % 3);
        builder.send(bytes(8), (rank + 1) % 3, {got});
    }
    EXPECT_EQ(failure(std::move(ranks)),
              "rank 0, operation 0 (receive of 8 B from rank 2) waits "
              "for ever for rank 2, operation 1 (send of 8 B to rank 0)");
}

TEST(EventGraph, StandardSendsNeedNoReceiverSynchronousOnesDo) {
    for (const bool synchronous : {false, true}) {
        Ranks ranks(2); // both send before they receive
        for (int rank : {0, 1}) {
            auto& builder = ranks[static_cast<std::size_t>(rank)];
            const auto sent = builder.send(bytes(8), 1 - rank, {}, synchronous);
            builder.receive(into(8), 1 - rank, {sent});
        }
        EXPECT_EQ(failure(std::move(ranks)),
                  synchronous ? "rank 0, operation 0 (synchronous send of 8 B to rank 1) waits for "
                                "ever for rank 1, operation 1 (receive of 8 B from rank 0)"
                              : "");
    }
}
