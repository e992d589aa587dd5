// SPDX-License-Identifier: BSD-3-Clause
// The checker finds each kind of mistake, and names rank, step and block.
#include "schedule/check.hpp"

#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "schedule/segments.hpp"
#include "schedule/timeline.hpp"

using namespace alltold;

namespace {

constexpr Region all{Buffer::receive, 0, 8};

/// A broadcast of 8 bytes from rank 0, each rank written by hand.
template <typename... Write>
std::string broadcast_fault(const Limits& limits, Write... write) {
    std::vector<Schedule> schedules;
    const auto add = [&](auto one) {
        Builder builder;
        one(builder);
        schedules.push_back(std::move(builder).finish());
    };
    (add(write), ...);
    const auto spec =
        Specification::of(Collective::bcast, static_cast<int>(schedules.size()), 0, 8);
    const auto fault = check(spec, schedules, limits);
    return fault ? fault->text() : "";
}

const auto nothing = [](Builder&) {};
const auto send_to_1 = [](Builder& b) { b.send(all, 1); };
const auto receive_from_0 = [](Builder& b) { b.receive(all, 0); };

TEST(Check, PassesWhatIsRight) {
    EXPECT_EQ(broadcast_fault({}, send_to_1, receive_from_0), "");
}

TEST(Check, FindsMissingDelivery) {
    EXPECT_EQ(broadcast_fault({}, nothing, nothing), "rank 1, block 0->all: never arrives");
    EXPECT_EQ(broadcast_fault({}, send_to_1, nothing),
              "rank 0, step 0, block 0->all: sends message 0 to rank 1, which does not receive it");
    EXPECT_EQ(
        broadcast_fault({}, nothing, receive_from_0),
        "rank 1, step 0, block 0->all: waits for message 0 from rank 0, which does not send it");
}

TEST(Check, FindsPartialDelivery) {
    const Region most{Buffer::receive, 0, 7};
    EXPECT_EQ(
        broadcast_fault(
            {}, [&](Builder& b) { b.send(most, 1); }, [&](Builder& b) { b.receive(most, 0); }),
        "rank 1, block 0->all: never arrives");
}

TEST(Check, FindsSizesThatDiffer) {
    EXPECT_EQ(broadcast_fault({}, send_to_1,
                              [](Builder& b) {
                                  b.receive({Buffer::receive, 0, 7}, 0);
                              }),
              "rank 0, step 0, block 0->all: sends 8 bytes to rank 1, which expects 7 (step 0)");
}

TEST(Check, FindsBytesOutOfTheirBuffer) {
    EXPECT_EQ(broadcast_fault(
                  {},
                  [](Builder& b) {
                      b.send({Buffer::receive, 1, 8}, 1);
                  },
                  receive_from_0),
              "rank 0, step 0, block 0->all: reaches beyond its buffer");
}

TEST(Check, FindsDuplicates) {
    const auto twice = [](Builder& b) {
        const auto first = b.receive(all, 0);
        b.receive(all, 0, {first});
    };
    EXPECT_EQ(broadcast_fault(
                  {}, [](Builder& b) { b.send(all, 1), b.send(all, 1); }, twice),
              "rank 1, step 1, block 0->all: receives a block from rank 0 that it already has");
}

TEST(Check, FindsRaces) {
    const auto forward_too_soon = [](Builder& b) {
        b.receive(all, 0);
        b.send(all, 2);
    };
    EXPECT_EQ(
        broadcast_fault({}, send_to_1, forward_too_soon, [](Builder& b) { b.receive(all, 1); }),
        "rank 1, step 1, block 0->all: accesses memory that step 0 may still be using");
}

TEST(Check, FindsUndefinedBytes) {
    const auto invented = [](Builder& b) { b.send(b.scratch(8), 1); };
    EXPECT_EQ(broadcast_fault({}, invented, receive_from_0),
              "rank 0, step 0: sends uninitialised bytes");
}

TEST(Check, FindsDeadlockOfSynchronousSends) {
    // Both send first and receive after; standard sends of short messages would get through.
    const auto exchange = [](int peer) {
        return [peer](Builder& b) {
            const auto sent = b.send({Buffer::send, std::uint64_t(8 * peer), 8}, peer);
            b.receive({Buffer::receive, std::uint64_t(8 * peer), 8}, peer, {sent});
            b.copy({Buffer::send, std::uint64_t(8 * (1 - peer)), 8},
                   {Buffer::receive, std::uint64_t(8 * (1 - peer)), 8});
        };
    };
    std::vector<Schedule> schedules;
    for (const int peer : {1, 0}) {
        Builder builder;
        exchange(peer)(builder);
        schedules.push_back(std::move(builder).finish());
    }
    const auto fault = check(Specification::of(Collective::alltoall, 2, 0, 8), schedules);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->text(),
              "rank 0, step 0: deadlock: waits for step 1 of rank 1, which never starts");
}

TEST(Check, FindsUselessTraffic) {
    // Block 0->1 goes to rank 2 as well, which has no use for it.
    std::vector<Schedule> schedules(3);
    const auto spec = Specification::of(Collective::scatter, 3, 0, 4);
    const Region own{Buffer::receive, 0, 4};
    Builder root;
    root.copy({Buffer::send, 0, 4}, own);
    root.send({Buffer::send, 4, 4}, 1);
    root.send({Buffer::send, 4, 8}, 2);
    Builder one, two;
    one.receive(own, 0);
    const auto both = two.scratch(8);
    const auto received = two.receive(both, 0);
    two.copy(subregion(both, 4, 4), own, {received});
    schedules[0] = std::move(root).finish();
    schedules[1] = std::move(one).finish();
    schedules[2] = std::move(two).finish();
    const auto fault = check(spec, schedules);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->text(), "rank 0, step 2, block 0->1: sends a block a second time");
}

TEST(Check, FindsSignalsThatHoldNothingBack) {
    EXPECT_EQ(broadcast_fault(
                  {},
                  [](Builder& b) {
                      b.signal(1);
                      b.send(all, 1);
                  },
                  [](Builder& b) {
                      b.await(0);
                      b.receive(all, 0);
                  }),
              "rank 1, step 0: waits for a signal on which nothing depends");
}

TEST(Check, FindsTooManyMessagesInFlight) {
    const auto to_both = [](Builder& b) { b.send(all, 1), b.send(all, 2); };
    EXPECT_EQ(broadcast_fault({}, to_both, receive_from_0, receive_from_0), "");
    EXPECT_EQ(broadcast_fault({.per_rank = 1}, to_both, receive_from_0, receive_from_0),
              "rank 0, step 1: does not wait for step 0: more than 1 messages can be in flight");
}

TEST(Builder, NumbersMessagesPerPairAndLeavesEmptyOnesOut) {
    Builder b;
    EXPECT_EQ(b.send({Buffer::send, 0, 0}, 1), no_step);
    b.send({Buffer::send, 0, 4}, 1);
    b.receive({Buffer::receive, 0, 4}, 1, {no_step});
    b.send({Buffer::send, 0, 4}, 2);
    b.signal(1, {0});
    const auto schedule = std::move(b).finish();
    ASSERT_EQ(schedule.size(), 4);
    EXPECT_EQ(schedule[0].tag, 0);
    EXPECT_EQ(schedule[1].tag, 0);
    EXPECT_EQ(schedule[2].tag, 0);
    EXPECT_EQ(schedule[3].tag, 1);
    EXPECT_TRUE(schedule.after(1).empty());
    EXPECT_EQ(schedule.after(3).size(), 1U);
}

TEST(Segmented, PipelinesAlikeAndWaitsForAllOtherwise) {
    Builder b;
    const auto received = b.receive(all, 0);
    b.send(all, 2, {received});
    b.send({Buffer::receive, 0, 4}, 3, {received});
    const auto schedule = segmented(std::move(b).finish(), 3);
    // Three parts in, three parts out in step with them, then a join, and two parts after it.
    ASSERT_EQ(schedule.size(), 9);
    for (int part = 0; part < 3; ++part) {
        ASSERT_EQ(schedule.after(3 + part).size(), 1U);
        EXPECT_EQ(schedule.after(3 + part)[0], part);
        EXPECT_EQ(schedule[part].tag, part);
    }
    EXPECT_EQ(schedule[2].region, (Region{Buffer::receive, 6, 2}));
    EXPECT_EQ(schedule[6].kind, Kind::join);
    EXPECT_EQ(schedule.after(6).size(), 3U);
    EXPECT_EQ(schedule.after(7)[0], 6);
}

TEST(BlocksText, GroupsNeighbours) {
    const auto spec = Specification::of(Collective::alltoall, 5, 0, 10);
    const auto runs = [&](std::initializer_list<Block> blocks) {
        std::vector<alltold::Run> result;
        for (const auto& block : blocks)
            result.push_back({spec.address_of(block), 10});
        return result;
    };
    EXPECT_EQ(blocks_text(spec, runs({{0, 3}})), "0->3");
    EXPECT_EQ(blocks_text(spec, runs({{0, 2}, {0, 3}, {0, 4}})), "0->2..4");
    EXPECT_EQ(blocks_text(spec, runs({{1, 4}, {2, 4}, {0, 1}})), "1..2->4 0->1");
    EXPECT_EQ(blocks_text(spec, {{spec.address_of(Block{1, 2}) + 3, 4}}), "1->2[3..6]");
}

} // namespace
