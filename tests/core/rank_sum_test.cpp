// SPDX-License-Identifier: BSD-3-Clause
// The rank-sum test against values that can be counted by hand.
#include "core/rank_sum.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"

using namespace alltold;

TEST(RankSum, CountsOrders) {
    const std::vector<double> small{1, 2, 3}, large{4, 5, 6};
    EXPECT_NEAR(rank_sum_chance(small, large), 1. / 20, 1e-12) << "one of 6 over 3 orders";
    EXPECT_NEAR(rank_sum_chance(large, small), 1, 1e-12);
    EXPECT_NEAR(rank_sum_chance(std::vector<double>{1, 2, 5}, std::vector<double>{3, 4, 6}),
                4. / 20, 1e-12)
        << "two pairs the wrong way round: 1 + 1 + 2 orders";
    EXPECT_EQ(rank_sum_chance({}, large), 1);
}

TEST(RankSum, SeesThroughAnOutlier) {
    const std::vector<double> fast{132, 133, 131, 135, 132, 402},
        slow{347, 351, 333, 340, 349, 352};
    EXPECT_LT(rank_sum_chance(fast, slow), 0.05);
    EXPECT_GT(rank_sum_chance(slow, fast), 0.9);
}

TEST(RankSum, IsRightAsOftenAsItSays) {
    Random random(3);
    int low = 0;
    constexpr int trials = 2000;
    for (int i = 0; i < trials; ++i) {
        std::vector<double> one(5), other(7);
        for (auto* values : {&one, &other})
            for (double& value : *values)
                value = random.normal();
        low += rank_sum_chance(one, other) <= 0.05;
    }
    EXPECT_LE(low, 0.065 * trials);
    EXPECT_GE(low, 0.02 * trials);
}
