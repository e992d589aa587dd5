// SPDX-License-Identifier: BSD-3-Clause
// The bootstrap's intervals hold what they should; the rank tests see trends and no others.
#include "core/statistics.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/rank_tests.hpp"

using namespace alltold;

TEST(Random, IsSeededAndUniform) {
    Random a(1);
    Random b(1);
    EXPECT_EQ(a.normal(), b.normal());
    double sum = 0;
    double squares = 0;
    std::vector<int> hits(5);
    for (int i = 0; i < 20000; ++i) {
        const double z = a.normal();
        sum += z;
        squares += z * z;
        ++hits[a.index(5)];
    }
    EXPECT_NEAR(sum / 20000, 0, 0.03);
    EXPECT_NEAR(squares / 20000, 1, 0.05);
    for (const int hit : hits)
        EXPECT_NEAR(hit, 4000, 250);
}

TEST(Bootstrap, IntervalOfAMeanHoldsIt) {
    Random random(2);
    int held = 0;
    for (int trial = 0; trial < 500; ++trial) {
        std::vector<double> values(30);
        for (double& value : values)
            value = 5 + random.normal();
        const auto mean = [](std::span<const double> x) {
            return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
        };
        std::vector<double> drawn;
        for (int draw = 0; draw < 200; ++draw)
            drawn.push_back(mean(resample(values, random)));
        const auto interval = percentile_interval(drawn);
        held += interval.low <= 5 && 5 <= interval.high;
    }
    EXPECT_GT(held, 455); // 0.95 of 500 less four standard errors
    EXPECT_LT(held, 495);
}

TEST(Bootstrap, PercentilesOfKnownDraws) {
    std::vector<double> draws(101);
    std::iota(draws.begin(), draws.end(), 0.0);
    const auto interval = percentile_interval(draws, 0.9);
    EXPECT_NEAR(interval.low, 5, 1e-9);
    EXPECT_NEAR(interval.high, 95, 1e-9);
}

TEST(Trend, KendallByHand) {
    EXPECT_DOUBLE_EQ(kendall_upward_probability(std::vector<double>{1, 2, 3, 4}), 1.0 / 24);
    EXPECT_DOUBLE_EQ(kendall_upward_probability(std::vector<double>{2, 1, 3, 4}), 4.0 / 24);
    EXPECT_DOUBLE_EQ(kendall_upward_probability(std::vector<double>{4, 3, 2, 1}), 1);
    EXPECT_DOUBLE_EQ(kendall_upward_probability(std::vector<double>{5, 5, 5}), 1);
}

TEST(Trend, SpearmanTellsATrendFromNone) {
    std::vector<double> x(50);
    std::iota(x.begin(), x.end(), 0.0);
    EXPECT_LT(spearman_upward_probability(x, x), 1e-9);
    auto down = x;
    std::ranges::reverse(down);
    EXPECT_GT(spearman_upward_probability(x, down), 0.999);
    EXPECT_EQ(spearman_upward_probability(x, std::vector<double>(50, 1.0)), 1);
    Random random(4);
    int false_alarms = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        std::vector<double> y(50);
        for (double& value : y)
            value = random.uniform();
        false_alarms += spearman_upward_probability(x, y) < 0.05;
    }
    EXPECT_NEAR(false_alarms, 50, 25);
}
