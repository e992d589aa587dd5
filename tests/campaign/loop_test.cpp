// SPDX-License-Identifier: BSD-3-Clause
// Loops: how many calls, what lies between them, and the bound of their period.
#include <cmath>

#include <gtest/gtest.h>

#include "campaign/compare/compare.hpp"
#include "campaign/engine/ranks.hpp"
#include "campaign/run/runner.hpp"

namespace alltold::campaign {
namespace {

TEST(Loop, HasCallsForEachRankWithinHalfASecond) {
    EXPECT_EQ(calls_of_loop(1e-4, 8), 16 * 8);
    EXPECT_EQ(calls_of_loop(0.02, 8), 25);
    EXPECT_EQ(calls_of_loop(3, 8), 4);
    EXPECT_EQ(calls_of_loop(0, 8), 4) << "not known yet";
    EXPECT_EQ(calls_of_loop(1e-4, 2), 16 * 2);
}

TEST(Loop, RanksDrawTheirOwnWorkWithTheMeanAskedFor) {
    const BetweenCalls between{.work_s = 3e-3, .exponential = true};
    Work first(between, 0), again(between, 0), other(between, 1);
    constexpr int draws = 10000;
    double sum_s = 0;
    int equal = 0;
    for (int i = 0; i < draws; ++i) {
        const double one_s = first.draw_s();
        EXPECT_GE(one_s, 0);
        EXPECT_EQ(one_s, again.draw_s());
        equal += one_s == other.draw_s();
        sum_s += one_s;
    }
    EXPECT_NEAR(sum_s / draws, 3e-3, 5 * 3e-3 / std::sqrt(draws));
    EXPECT_EQ(equal, 0);
    EXPECT_EQ(Work({.work_s = 3e-3}, 0).draw_s(), 3e-3);
}

TEST(Loop, SaysWhatIsBetweenItsCalls) {
    EXPECT_EQ(BetweenCalls().text(), "");
    EXPECT_EQ((BetweenCalls{.work_s = 3e-3}.text()), "3 ms of work");
    EXPECT_EQ((BetweenCalls{.work_s = 3e-3, .exponential = true, .sync = true}.text()),
              "3 ms of work on average, exponential, and an allreduce of 8 B after each call");
    EXPECT_EQ((BetweenCalls{.sync = true}.text()), "an allreduce of 8 B after each call");
}

TEST(Loop, ItsBoundIsBytesOrWorkWithoutLatency) {
    const auto call = Specification::of(Collective::bcast, 8, 0, 4096);
    const Clusters clusters({4, 4});
    const Physics physics{1e6, Backbone{2e6, 10e-3}, "test"};
    EXPECT_DOUBLE_EQ(*bound_s(call, clusters, physics), 4096 / 2e6 + 10e-3);
    EXPECT_DOUBLE_EQ(*bound_s(call, clusters, physics, 0), 4096 / 1e6);
    EXPECT_DOUBLE_EQ(*bound_s(call, clusters, physics, 5e-3), 5e-3);
    EXPECT_FALSE(bound_s(call, clusters, {}, 5e-3)) << "no rate is known";
}

TEST(Loop, AllRanksGetItsWorkByTheOrder) {
    Order order{.what = Order::What::measure};
    order.measurement.point = {"bcast", "mpi", Clusters({8}), 4096};
    order.measurement.start_mode = StartMode::loop;
    order.measurement.between = {.work_s = 0.0031, .exponential = true, .sync = true, .seed = 7};
    const auto there = order_in(message_of(order)).measurement;
    EXPECT_TRUE(there.loops());
    EXPECT_EQ(there.between.work_s, 0.0031);
    EXPECT_TRUE(there.between.exponential);
    EXPECT_TRUE(there.between.sync);
    EXPECT_EQ(there.between.seed, 7U);
    EXPECT_FALSE(there.trace);
}

} // namespace
} // namespace alltold::campaign
