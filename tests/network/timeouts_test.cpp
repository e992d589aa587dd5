// SPDX-License-Identifier: BSD-3-Clause
// Time-outs: likely where flows have few packets of a queue each, and what they make of a time.
#include "network/links/timeouts.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

using namespace alltold;

TEST(Timeouts, AreLikelyWhereAFlowHasFewPackets) {
    EXPECT_NEAR(timeout_chance(2, 1, 1, INFINITY), 0.5, 1e-12);
    EXPECT_NEAR(timeout_chance(8, 4, 0.5, INFINITY), 0.25, 1e-12);
    EXPECT_GT(timeout_chance(21, 11, 0.9, INFINITY), 0.4);
    EXPECT_LT(timeout_chance(43, 3, 1, INFINITY), 1e-8);
    EXPECT_EQ(timeout_chance(0.7, 5, 0, INFINITY), 0);
}

TEST(Timeouts, AreLikelyForTheLastPacketsOfShortFlows) {
    // Queues of so many packets let none of a long flow wait.
    const auto chance = [](double dropped, double packets) {
        return timeout_chance(700, 3, dropped, packets);
    };
    EXPECT_NEAR(chance(0.2, 1), 0.2, 0.01);
    EXPECT_NEAR(chance(0.2, 3), 0.6, 0.02) << "each of three";
    EXPECT_GT(chance(1, 4), 0.8);
    EXPECT_LT(chance(1, 8), 0.01);
    EXPECT_EQ(chance(0, 1), 0);
}

TEST(Timeouts, ThatEndBeforeTheCallCostNothing) {
    const std::vector<Timeout> early{{1, 0.9, 1}, {1, 1, 1}};
    const auto time_s = with_timeouts({1, 0.8, 1.1}, early);
    EXPECT_EQ(time_s.value, 1);
    EXPECT_EQ(time_s.low, 0.8);
    EXPECT_EQ(time_s.high, 1.1);
}

TEST(Timeouts, CertainOnesMoveValueAndInterval) {
    const std::vector<Timeout> many(400, {1, 3, 3});
    const auto time_s = with_timeouts({1, 0.8, 1.1}, many);
    EXPECT_NEAR(time_s.value, 3, 1e-9);
    EXPECT_NEAR(time_s.low, 3, 1e-9);
    EXPECT_NEAR(time_s.high, 3, 1e-9);
}

TEST(Timeouts, UnlikelyOnesWidenTheInterval) {
    // (1 + 0.2 / 0.5)^-0.5 = 0.845 of calls meet none.
    const auto time_s =
        with_timeouts({1, 0.8, 1.1}, std::vector<Timeout>{{0.1, 3, 3}, {0.1, 2, 2}});
    EXPECT_EQ(time_s.value, 1);
    EXPECT_EQ(time_s.low, 0.8);
    // Only (1 + 0.1 / 0.5)^-0.5 = 0.913 are over before 3.
    EXPECT_NEAR(time_s.high, 3, 1e-9);
}

TEST(Timeouts, EndAtAnyInstantBetween) {
    // The median lies where 1.5 of the two time-outs are still to end.
    const std::vector<Timeout> two{{1, 2, 4}, {1, 2, 4}};
    EXPECT_NEAR(with_timeouts({1, 1, 1}, two).value, 2.5, 1e-9);
    EXPECT_EQ(with_timeouts({3.9, 3.9, 3.9}, two).value, 3.9);
}
