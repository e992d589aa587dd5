// SPDX-License-Identifier: BSD-3-Clause
// A fit that would mean nothing is refused, and the reason is named.
#include <algorithm>
#include <limits>
#include <string_view>

#include <gtest/gtest.h>

#include "expect_refused.hpp"
#include "network/signature/signature_fit.hpp"
#include "synthetic.hpp"

using namespace alltold;
using test::expect_refused;

namespace {

constexpr Hockney gigabit{200e-6, 165e-9};
constexpr Signature signature{2.2, 3e-3, 16384};

std::vector<Series> good_pingpong() {
    Random random(1);
    return synthetic::pingpong(gigabit, synthetic::sizes(1024, 4, 6), {}, random);
}

std::vector<Series> good_alltoall() {
    Random random(2);
    return synthetic::alltoall(gigabit, signature, 12, synthetic::sizes(1024, 4, 6), {}, random);
}

/// Sizes stay, the times of the sizes change places.
std::vector<Series> shuffled(std::vector<Series> series, Random& random) {
    for (std::size_t i = series.size(); i > 1; --i)
        std::swap(series[i - 1].times_s, series[random.index(i)].times_s);
    return series;
}

/// All repetitions of all sizes change places.
std::vector<Series> stirred(std::vector<Series> series, Random& random) {
    std::vector<double*> times;
    for (Series& one : series)
        for (double& time_s : one.times_s)
            times.push_back(&time_s);
    for (std::size_t i = times.size(); i > 1; --i)
        std::swap(*times[i - 1], *times[random.index(i)]);
    return series;
}

} // namespace

TEST(Refusal, TheGoodDataIsFitted) {
    EXPECT_TRUE(fit_hockney(good_pingpong()));
    EXPECT_TRUE(fit_signature(good_alltoall(), gigabit));
}

TEST(Refusal, TooFewSizes) {
    auto pings = good_pingpong();
    pings.resize(2);
    expect_refused(fit_hockney(pings), "2 size(s) measured; a line needs at least 3");
    expect_refused(fit_hockney({}), "none was measured");
    auto series = good_alltoall();
    series.resize(3);
    expect_refused(fit_signature(series, gigabit),
                   "12 ranks: 3 size(s) measured; a signature needs at least 4");
    expect_refused(fit_signature({}, gigabit), "none was measured");
}

TEST(Refusal, SmallerProcessCountsDoNotMakeUpForMissingSizes) {
    auto series = good_alltoall();
    series.push_back(series.back());
    series.back().n = 16;
    expect_refused(fit_signature(series, gigabit), "16 ranks: 1 size(s)");
}

TEST(Refusal, SizesTooCloseTogether) {
    Random random(1);
    expect_refused(fit_hockney(synthetic::pingpong(gigabit, {65536, 131072, 262144}, {}, random)),
                   "span less than a factor of 8");
}

TEST(Refusal, TooFewRepetitions) {
    auto pings = good_pingpong();
    pings[1].times_s.resize(2);
    expect_refused(fit_hockney(pings), "ping-pong at 4 KiB: 2 repetition(s)");
    auto series = good_alltoall();
    series[2].times_s.resize(2);
    expect_refused(fit_signature(series, gigabit), "all-to-all of 12 ranks at 16 KiB: 2 rep");
}

TEST(Refusal, TimesThatAreNone) {
    for (const double wrong : {0.0, -1e-3, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()}) {
        auto pings = good_pingpong();
        pings[3].times_s[4] = wrong;
        expect_refused(fit_hockney(pings), "at 64 KiB: a time of");
        auto series = good_alltoall();
        series[3].times_s[4] = wrong;
        expect_refused(fit_signature(series, gigabit), "at 64 KiB: a time of");
    }
}

TEST(Refusal, ConstantTimes) {
    auto series = good_alltoall();
    for (Series& one : series)
        one.times_s.assign(15, 0.05);
    expect_refused(fit_hockney(series), "do not grow with size");
    expect_refused(fit_signature(series, gigabit), "do not grow with size");
}

TEST(Refusal, TimesThatFallWithSize) {
    auto series = good_alltoall();
    for (std::size_t i = 0; i < series.size() / 2; ++i)
        std::swap(series[i].times_s, series[series.size() - 1 - i].times_s);
    expect_refused(fit_hockney(series), "do not grow with size");
    expect_refused(fit_signature(series, gigabit), "do not grow with size");
}

TEST(Refusal, NoiseAroundAConstant) {
    int fitted = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        std::vector<Series> series;
        for (const double m : synthetic::sizes(1024, 4, 6))
            series.push_back({12, m, synthetic::repeat(0.05, {0.2, 15}, random)});
        fitted += bool(fit_signature(series, gigabit)) + bool(fit_hockney(series));
    }
    EXPECT_EQ(fitted, 0);
}

TEST(Refusal, ShuffledSizesAndRepetitions) {
    int fitted = 0;
    int lines = 0;
    int stirred_fitted = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        fitted += bool(fit_signature(shuffled(good_alltoall(), random), gigabit));
        lines += bool(fit_hockney(shuffled(good_pingpong(), random)));
        stirred_fitted += bool(fit_signature(stirred(good_alltoall(), random), gigabit));
    }
    // One shuffle in 720 changes nothing, five more swap two neighbours: those may be fitted.
    EXPECT_LE(fitted, 6);
    EXPECT_LE(lines, 6);
    EXPECT_EQ(stirred_fitted, 0);
}

TEST(Refusal, ImpossibleNetwork) {
    for (const Hockney wrong : {Hockney{1e-3, 0}, Hockney{-1e-3, 1e-9}, Hockney{1e-3, -1e-9}}) {
        const auto fit = fit_signature(good_alltoall(), wrong);
        ASSERT_FALSE(fit);
        EXPECT_EQ(fit.error().status, ExitStatus::bad_input);
    }
}

TEST(Refusal, FasterThanTheNetworkIsNoFit) {
    // An all-to-all that takes a hundredth of what alpha and beta allow cannot be one of this
    // network.
    auto series = good_alltoall();
    for (Series& one : series)
        for (double& time_s : one.times_s)
            time_s /= 100;
    expect_refused(fit_signature(series, gigabit), "explains only noise");
}
