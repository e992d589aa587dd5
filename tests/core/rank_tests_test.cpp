// SPDX-License-Identifier: BSD-3-Clause
// Tests by ranks: published p-values, counts by hand, and as many false alarms as they promise.
#include "core/rank_tests.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace alltold {
namespace {

TEST(RankTests, signed_ranks_count_by_hand) {
    EXPECT_DOUBLE_EQ(signed_rank_p(std::vector{1., 2., 3.}), 2. / 8);
    EXPECT_DOUBLE_EQ(signed_rank_p(std::vector{-1., -2., -3., -4., -5.}), 2. / 32);
    EXPECT_DOUBLE_EQ(signed_rank_p(std::vector{-1., 2., 3.}), 4. / 8);
    EXPECT_DOUBLE_EQ(signed_rank_p(std::vector{0., 0.}), 1);
    EXPECT_DOUBLE_EQ(signed_rank_p({}), 1);
}

TEST(RankTests, rank_sums_count_by_hand) {
    EXPECT_DOUBLE_EQ(rank_sum_p(std::vector{1., 2., 3.}, std::vector{4., 5., 6.}), 2. / 20);
    EXPECT_DOUBLE_EQ(rank_sum_p(std::vector{4., 5., 6., 7.}, std::vector{1., 2., 3., 3.5}),
                     2. / 70);
    EXPECT_DOUBLE_EQ(rank_sum_p(std::vector{1., 1.}, std::vector{1., 1.}), 1);
    EXPECT_DOUBLE_EQ(rank_sum_p({}, std::vector{1.}), 1);
}

TEST(RankTests, exact_and_normal_agree_where_they_meet) {
    Random random(3);
    std::vector<double> values;
    for (int i = 0; i < 60; ++i)
        values.push_back(random.normal() + 0.3);
    const double exact = signed_rank_p(values);
    values.push_back(1e-9); // the smallest rank: next to nothing
    EXPECT_NEAR(signed_rank_p(values), exact, 0.1 * exact + 1e-4);
}

TEST(RankTests, alarms_are_as_rare_as_promised_whatever_the_tails) {
    Random random(7);
    int by_signs = 0, by_sums = 0;
    constexpr int times = 800;
    for (int i = 0; i < times; ++i) {
        std::vector<double> differences, one, other;
        for (int j = 0; j < 20; ++j)
            differences.push_back(std::pow(random.normal(), 3));
        for (int j = 0; j < 8; ++j) {
            one.push_back(random.uniform() < 0.3 ? 0.2 : 0.01 * random.uniform());
            other.push_back(random.uniform() < 0.3 ? 0.2 : 0.01 * random.uniform());
        }
        by_signs += signed_rank_p(differences) <= 0.05;
        by_sums += rank_sum_p(one, other) <= 0.05;
    }
    EXPECT_LE(by_signs, 0.07 * times);
    EXPECT_GE(by_signs, 0.03 * times); // a test that never raises one would be useless
    EXPECT_LE(by_sums, 0.07 * times);
}

TEST(RankTests, the_centre_is_in_its_interval_as_often_as_promised) {
    Random random(11);
    int inside = 0;
    constexpr int times = 1000;
    for (int i = 0; i < times; ++i) {
        std::vector<double> values;
        for (int j = 0; j < 12; ++j)
            values.push_back(0.25 + random.normal());
        inside += symmetric_centre(values).covers(0.25);
    }
    EXPECT_GE(inside, 0.93 * times);
    EXPECT_LE(inside, 0.985 * times);
    EXPECT_TRUE(std::isinf(symmetric_centre(std::vector{1., 2.}).high));
}

} // namespace
} // namespace alltold
