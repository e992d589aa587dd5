// SPDX-License-Identifier: BSD-3-Clause
// pLogP comes back inside its intervals, change of protocol and all; what is no curve is refused.
#include "network/plogp/plogp_fit.hpp"

#include <cmath>
#include <limits>
#include <string_view>

#include <gtest/gtest.h>

#include "expect_refused.hpp"
#include "synthetic.hpp"

using namespace alltold;
using test::expect_refused;

namespace {

constexpr double plogp_latency_s = 40e-6;

double gap_s(double m) {
    return 12e-6 + 160e-9 * m;
}

/// Beyond 64 KiB the library waits for the receiver.
double overhead_s(double m) {
    return m < 65536 ? 6e-6 + 0.7e-9 * m : 0.9 * gap_s(m);
}

std::vector<Series> curve(double (*time_s)(double), const synthetic::Noise& noise, Random& random) {
    std::vector<Series> series;
    for (const double m :
         {1., 64., 512., 4096., 16384., 32768., 61440., 65536., 131072., 262144., 1048576.})
        series.push_back({2, m, synthetic::repeat(time_s(m), noise, random)});
    return series;
}

PLogPSamples good(Random& random, const synthetic::Noise& noise = {0.05, 9}) {
    return {curve(overhead_s, noise, random),
            curve(overhead_s, noise, random),
            curve(gap_s, noise, random),
            {{2, 1, synthetic::repeat(plogp_latency_s + gap_s(1), noise, random)}}};
}

} // namespace

TEST(PLogPFit, EveryParameterIsInsideItsInterval) {
    constexpr int trials = 100;
    int points = 0, inside = 0, latencies = 0;
    for (std::uint64_t seed = 0; seed < trials; ++seed) {
        Random random(seed);
        const auto fit = fit_plogp(good(random), seed);
        ASSERT_TRUE(fit) << fit.error().message;
        for (const auto& [fitted, truth] : {std::pair(&fit->network.g_s, &gap_s),
                                            {&fit->network.o_s, &overhead_s},
                                            {&fit->network.o_r, &overhead_s}})
            for (const auto& point : fitted->points()) {
                const auto& [time_s, low_s, high_s] = point.time_s;
                inside += point.time_s.covers(truth(point.size_bytes));
                ++points;
                EXPECT_LT(high_s - low_s, 0.25 * time_s);
            }
        latencies += fit->network.L_s.covers(plogp_latency_s);
        EXPECT_NEAR(fit->network.L_s.value, plogp_latency_s, 0.2 * plogp_latency_s);
    }
    EXPECT_GE(inside, 0.95 * points);
    EXPECT_GE(latencies, 0.9 * trials);
}

TEST(PLogPFit, ExactDataGivesTheCurveItself) {
    Random random(1);
    const auto fit = fit_plogp(good(random, {0, 5}));
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_DOUBLE_EQ(fit->network.g_s(65536), gap_s(65536));
    EXPECT_DOUBLE_EQ(fit->network.o_s(61440), overhead_s(61440)) << "the last eager size";
    EXPECT_DOUBLE_EQ(fit->network.o_r(65536), overhead_s(65536)) << "and the first that is not";
    EXPECT_NEAR(fit->network.L_s.value, plogp_latency_s, 1e-15);
    EXPECT_NEAR(fit->network.L_s.high, plogp_latency_s, 1e-15);
}

TEST(PLogPFit, PairsThatDifferWidenTheInterval) {
    Random random(3);
    auto samples = good(random);
    auto slower = samples.gap;
    for (Series& one : slower) {
        one.group = 1;
        for (double& time_s : one.times_s)
            time_s *= 1.5;
    }
    samples.gap.insert(samples.gap.end(), slower.begin(), slower.end());
    const auto fit = fit_plogp(samples);
    ASSERT_TRUE(fit) << fit.error().message;
    const auto there = fit->network.g_s.estimate(65536);
    EXPECT_NEAR(there.value, 1.25 * gap_s(65536), 0.1 * gap_s(65536));
    EXPECT_LT(there.low, 1.05 * gap_s(65536));
    EXPECT_GT(there.high, 1.4 * gap_s(65536));
}

TEST(PLogPFit, NoLatencyBelowZeroIsClaimed) {
    Random random(4);
    auto samples = good(random);
    samples.round_trip = {{2, 1, synthetic::repeat(0.5 * gap_s(1), {}, random)}};
    const auto fit = fit_plogp(samples);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->network.L_s.value, 0);
    EXPECT_EQ(fit->network.L_s.low, 0);
    EXPECT_NEAR(fit->network.L_s.high, 0.5 * gap_s(1), 0.1 * gap_s(1));
}

TEST(PLogPFit, RefusesByName) {
    Random random(5);
    const auto samples = good(random);
    const auto refused = [&](auto&& spoil, std::string_view reason) {
        auto spoiled = samples;
        spoil(spoiled);
        const auto fit = fit_plogp(spoiled);
        if (!reason.starts_with("o_")) {
            expect_refused(fit, reason);
            return;
        }
        ASSERT_TRUE(fit) << fit.error().message;
        ASSERT_EQ(fit->refused.size(), 1U);
        EXPECT_NE(fit->refused.front().find(reason), std::string::npos) << fit->refused.front();
        EXPECT_NE(fit->network.o_s.points().empty(), fit->network.o_r.points().empty());
    };
    refused([](auto& s) { s.gap.resize(2); }, "g(m): 2 size(s) measured; a curve needs at least 4");
    refused([](auto& s) { s.send.resize(3); }, "o_s(m): 3 size(s) measured");
    refused([](auto& s) { s.receive.clear(); }, "o_r(m): 0 size(s) measured");
    refused([](auto& s) { s.gap[3].times_s.resize(2); }, "g(m) at 4 KiB: 2 repetition(s)");
    refused([](auto& s) { s.gap[3].times_s[1] = -1e-6; }, "g(m) at 4 KiB: a time of -1e-06 s");
    refused([](auto& s) { s.send[3].times_s[1] = std::numeric_limits<double>::quiet_NaN(); },
            "o_s(m) at 4 KiB: a time of nan s");
    refused(
        [](auto& s) {
            s.receive = {s.receive.begin() + 4, s.receive.begin() + 8};
        },
        "o_r(m): sizes from 16 KiB to 64 KiB span less than a factor of 8");
    refused([](auto& s) { s.round_trip.clear(); }, "L: no round trips were measured");
    refused([](auto& s) { s.round_trip[0].times_s.resize(1); }, "RTT(m) at 1 B: 1 repetition(s)");
    for (const auto curve : {&PLogPSamples::gap, &PLogPSamples::send, &PLogPSamples::receive})
        refused(
            [&](auto& s) {
                for (Series& one : s.*curve)
                    one.times_s.assign(9, 1e-3);
            },
            curve == &PLogPSamples::gap    ? "g(m): the times are only noise"
            : curve == &PLogPSamples::send ? "o_s(m): the times are only noise"
                                           : "o_r(m): the times are only noise");
}

TEST(PLogPFit, RefusesNoiseAndWhatWasShuffled) {
    int noises = 0, shuffles = 0, stirred = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        noises +=
            bool(fit_plogp_curve(curve([](double) { return 1e-3; }, {0.2, 9}, random), "g(m)"));
        auto series = curve(gap_s, {0.05, 9}, random);
        for (std::size_t i = series.size(); i > 1; --i)
            std::swap(series[i - 1].times_s, series[random.index(i)].times_s);
        shuffles += bool(fit_plogp_curve(series, "g(m)"));
        std::vector<double*> times;
        for (Series& one : series)
            for (double& time_s : one.times_s)
                times.push_back(&time_s);
        for (std::size_t i = times.size(); i > 1; --i)
            std::swap(*times[i - 1], *times[random.index(i)]);
        stirred += bool(fit_plogp_curve(series, "g(m)"));
    }
    EXPECT_EQ(noises, 0);
    EXPECT_EQ(stirred, 0);
    EXPECT_LE(shuffles, 6) << "a shuffle may leave a curve nearly in order";
}
