// SPDX-License-Identifier: BSD-3-Clause
// Medians and quantiles are right, and a median's interval holds it as often as it says.
#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>


using namespace alltold;

TEST(Median, OfFewValues) {
    EXPECT_EQ(median(std::vector{3.0}), 3);
    EXPECT_EQ(median(std::vector{4.0, 1.0}), 2.5);
    EXPECT_EQ(median(std::vector{9.0, 1.0, 5.0}), 5);
    EXPECT_DOUBLE_EQ(quantile(std::vector{10.0, 20.0, 30.0, 40.0, 50.0}, 0.1), 14);
    EXPECT_EQ(quantile(std::vector{3.0, 1.0, 2.0}, 0), 1);
    EXPECT_EQ(quantile(std::vector{3.0, 1.0, 2.0}, 1), 3);
}

TEST(Median, QuantilesLieWhereSortingPutsThem) {
    EXPECT_TRUE(rc::check("quantile(k / (n-1)) is the k-th smallest", [] {
        auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
            rc::gen::cast<double>(rc::gen::inRange(-50, 50))));
        const auto k = *rc::gen::inRange<std::size_t>(0, values.size());
        const double level = values.size() == 1
                                 ? 0
                                 : static_cast<double>(k) / static_cast<double>(values.size() - 1);
        const double found = quantile(values, level);
        std::sort(values.begin(), values.end());
        RC_ASSERT(std::abs(found - values[k]) < 1e-9);
    }));
}

TEST(MedianInterval, TakesTheBinomialOrderStatistics) {
    std::vector<double> values(20);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(values.size() - i);
    const auto interval = median_interval(values); // textbook: 6th and 15th of 20
    EXPECT_EQ(interval.value, 10.5);
    EXPECT_EQ(interval.low, 6);
    EXPECT_EQ(interval.high, 15);
    EXPECT_DOUBLE_EQ(interval.relative_half_width(), 4.5 / 10.5);
}

TEST(MedianInterval, IsUnboundedForFewerThanSix) {
    const std::vector<double> six{1, 2, 3, 4, 5, 6};
    EXPECT_EQ(median_interval(six).low, 1);
    EXPECT_EQ(median_interval(six).high, 6);
    EXPECT_TRUE(std::isinf(median_interval(std::span(six).first(5)).relative_half_width()));
}

TEST(MedianInterval, HoldsTheMedianAsOftenAsItSays) {
    std::mt19937_64 random(7);
    std::exponential_distribution<double> draw(1);
    for (const std::size_t count : {6u, 15u, 40u}) {
        int held = 0;
        for (int trial = 0; trial < 2000; ++trial) {
            std::vector<double> values(count);
            for (double& value : values)
                value = draw(random);
            const auto interval = median_interval(values);
            held += interval.low <= std::log(2) && std::log(2) <= interval.high;
        }
        EXPECT_GT(held, 0.935 * 2000) << count; // at least 0.95, less two standard errors
        EXPECT_LT(held, 0.995 * 2000) << count;
    }
}

TEST(MedianInterval, ManyValuesUseTheNormalLimit) {
    std::vector<double> values(5000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i);
    const auto interval = median_interval(values);
    EXPECT_NEAR(interval.high - interval.low, 1.96 * std::sqrt(5000.0), 3);
}

TEST(MedianStandardError, IgnoresAFewTimeouts) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> draw(0.010, 0.001);
    std::vector<double> values(400);
    for (double& value : values)
        value = draw(random);
    for (std::size_t i = 0; i < 20; ++i)
        values[i] = 0.210;
    EXPECT_NEAR(median_standard_error(values), 1.2533 * 0.001 / 20, 0.15 * 0.001 / 20);
    EXPECT_EQ(median_standard_error(std::vector{2.0, 2.0, 2.0}), 0);
}

TEST(Normal, QuantilesInvertTheProbability) {
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
    EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
    EXPECT_NEAR(student_quantile(0.975, 1), 12.7062, 1e-4);
    EXPECT_NEAR(student_quantile(0.975, 2), 4.3027, 1e-4);
    EXPECT_NEAR(student_quantile(0.975, 3), 3.1824, 1e-4);
    EXPECT_NEAR(student_quantile(0.99, 4), 3.7469, 1e-4);
    EXPECT_NEAR(student_quantile(0.975, 7), 2.3646, 1e-4);
    EXPECT_NEAR(student_quantile(0.025, 30), -2.0423, 1e-4);
    for (const double z : {-3.0, -0.5, 1.5})
        EXPECT_NEAR(normal_quantile(normal_probability(z)), z, 1e-9);
}
