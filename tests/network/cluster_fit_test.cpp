// SPDX-License-Identifier: BSD-3-Clause
// The cluster model's parameters come back from data made of TW99's Table 1; nonsense is refused.
#include <cmath>

#include <gtest/gtest.h>

#include "network/cluster/transfer_fit.hpp"
#include "network/fit/curve_fit.hpp"
#include "refusals.hpp"
#include "synthetic.hpp"

using namespace alltold;

namespace {

constexpr double us = 1e-6;

/// TW99 Table 1, m > 40.
double table_g_s(double m) {
    return (0.0796 * m + 3.027) * us;
}
double table_L(double m, int p) {
    return (1.556 * p + 16.684 + 0.0826 * m * std::max(1., p * m / (90 * (table_g_s(m) / us)))) *
           us;
}

const std::vector<double> packet_sizes{64, 128, 256, 512, 1024, 1500};

ClusterModel table_overheads() {
    ClusterModel known;
    known.O_s = SizeCurve::line(6.37 * us, 0.0253 * us);
    known.O_r = SizeCurve::line(12.176 * us, 0.0429 * us);
    known.U_r_s = 9.93 * us;
    known.g_s = SizeCurve::line(3.027 * us, 0.0796 * us);
    return known;
}

std::vector<Series> pairs_of_table(const synthetic::Noise& noise, Random& random) {
    const auto known = table_overheads();
    std::vector<Series> pairs;
    for (const int p : {2, 4, 8, 12, 16})
        for (const double m : packet_sizes)
            pairs.push_back(
                {p, m,
                 synthetic::repeat(known.O_s(m) + known.O_r(m) + known.U_r_s + table_L(m, p), noise,
                                   random)});
    return pairs;
}

std::vector<Train> trains(const synthetic::Noise& noise, Random& random) {
    std::vector<Train> all;
    for (const double m : packet_sizes)
        for (const int count : {16, 64})
            all.push_back(
                {count, {2, m, synthetic::repeat(200 * us + count * table_g_s(m), noise, random)}});
    return all;
}

} // namespace

TEST(ClusterFit, GapsOfTheTableFromTrains) {
    Random random(3);
    const auto curve = fit_gap(trains({0.02, 15}, random), "g_s");
    ASSERT_TRUE(curve) << curve.error().message;
    for (const double m : packet_sizes) {
        const auto gap = curve->estimate(m);
        EXPECT_NEAR(gap.value, table_g_s(m), 0.03 * table_g_s(m)) << m;
        EXPECT_LT(gap.high - gap.low, 0.15 * gap.value) << m;
    }
}

TEST(ClusterFit, GapIntervalsHoldTheTruth) {
    int held = 0;
    int all = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const auto curve = fit_gap(trains({0.02, 15}, random), "g_s");
        ASSERT_TRUE(curve) << curve.error().message;
        for (const double m : packet_sizes) {
            held += curve->estimate(m).covers(table_g_s(m));
            ++all;
        }
    }
    // The start-up is a median too, and its own error is not in the interval.
    EXPECT_GE(held, 0.85 * all);
}

TEST(ClusterFit, TransferTimeOfTheTableWithItsCapacity) {
    Random random(5);
    const auto fit = fit_transfer(pairs_of_table({0.01, 20}, random), table_overheads());
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_NEAR(fit->transfer.base_s, 16.684 * us, 2 * us);
    EXPECT_NEAR(fit->transfer.per_process_s, 1.556 * us, 0.2 * us);
    EXPECT_NEAR(fit->transfer.beta_s_per_byte, 0.0826 * us, 0.003 * us);
    EXPECT_NEAR(fit->transfer.capacity_bytes_per_s, 90e6, 6e6);
    for (const int p : {2, 8, 16})
        for (const double m : packet_sizes)
            EXPECT_NEAR(fit->transfer.time_s(m, p, table_g_s(m)), table_L(m, p),
                        0.05 * table_L(m, p));
}

TEST(ClusterFit, NoCapacityIsClaimedWhereThereIsNone) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        std::vector<Series> pairs;
        for (const int p : {2, 4, 8})
            for (const double m : packet_sizes)
                pairs.push_back(
                    {p, m, synthetic::repeat((50 + p + 0.08 * m) * us, {0.02, 10}, random)});
        const auto fit = fit_transfer(pairs, ClusterModel{});
        ASSERT_TRUE(fit) << fit.error().message;
        EXPECT_EQ(fit->transfer.capacity_bytes_per_s, 0) << seed;
        EXPECT_NEAR(fit->transfer.beta_s_per_byte, 0.08 * us, 0.01 * us);
    }
}

TEST(ClusterFit, TransferTimesOfANetworkThatGivesItsFirstPacketsAway) {
    Random random(2);
    std::vector<Series> pairs;
    for (const int p : {2, 6})
        for (const double m : {1., 1024., 4096., 16384., 65536.})
            pairs.push_back(
                {p, m,
                 synthetic::repeat((15 + 0.17 * std::max(0., m - 2500)) * us, {0.02, 10}, random)});
    ClusterModel known;
    known.O_s = SizeCurve::line(7 * us, 0.001 * us);
    known.U_r_s = 12 * us; // more than small messages take in all
    const auto fit = fit_transfer(pairs, known);
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_GE(fit->transfer.time_s(1, 2, 0), 0);
    for (const double m : {16384., 65536.})
        EXPECT_NEAR(fit->transfer.time_s(m, 2, 0), 0.17 * (m - 2500) * us, 0.17 * 2500 * us);
}

TEST(ClusterFit, GapsThatMeanNothing) {
    Random random(1);
    const auto good = trains({0.01, 8}, random);
    EXPECT_TRUE(fit_gap(good, "g_s"));
    EXPECT_SAYS(refusal(fit_gap(std::span(good).first(4), "g_s")), "g_s: 2 size(s) measured");
    EXPECT_SAYS(refusal(fit_gap({}, "g_s")), "0 size(s)");
    auto one_length = good;
    one_length.pop_back();
    EXPECT_SAYS(refusal(fit_gap(one_length, "g_s")), "only trains of 16 messages");
    auto constant = good;
    for (Train& train : constant)
        train.series.times_s.assign(8, 0.01 * train.messages);
    EXPECT_SAYS(refusal(fit_gap(constant, "g_s")), "do not grow with size");
    auto negative = good;
    for (Train& train : negative)
        std::ranges::fill(train.series.times_s, 1.0 / train.messages);
    EXPECT_SAYS(refusal(fit_gap(negative, "g_s")), "times must be positive and finite");
    auto turned = good;
    for (std::size_t i = 0; i < turned.size() / 2; ++i) // two lengths of train a size
        std::swap(turned[i].series.times_s, turned[turned.size() - 1 - (i ^ 1)].series.times_s);
    EXPECT_SAYS(refusal(fit_gap(turned, "g_s")), "do not grow with size");
}

TEST(ClusterFit, TransferTimesThatMeanNothing) {
    Random random(1);
    const auto good = pairs_of_table({0.01, 8}, random);
    const auto known = table_overheads();
    EXPECT_SAYS(refusal(fit_transfer(std::span(good).first(6), known)), "1 rank count(s)");
    EXPECT_SAYS(refusal(fit_transfer({}, known)), "0 size(s)");
    auto constant = good;
    for (Series& series : constant)
        series.times_s.assign(8, 1e-3);
    EXPECT_SAYS(refusal(fit_transfer(constant, known)), "do not grow with size");
    auto small = good;
    for (Series& series : small)
        for (double& time_s : series.times_s)
            time_s /= 20;
    EXPECT_SAYS(refusal(fit_transfer(small, known)), "less than the overheads alone");
    int fitted = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Random noise(seed);
        auto stirred = good;
        for (Series& series : stirred)
            series.times_s = synthetic::repeat(1e-3, {0.2, 8}, noise);
        fitted += bool(fit_transfer(stirred, known));
    }
    EXPECT_EQ(fitted, 0);
}
