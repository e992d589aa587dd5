// SPDX-License-Identifier: BSD-3-Clause
// A port's rate from trains of messages; nonsense is refused.
#include <gtest/gtest.h>

#include "network/fit/curve_fit.hpp"
#include "refusals.hpp"
#include "synthetic.hpp"

using namespace alltold;

TEST(RateFit, AFreeOffsetDoesNotBendTheRate) {
    // What a token bucket gives away: four packets of 0.6 ms at 20 Mbit.
    constexpr double rate = 2.39e6;
    int held = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Random random(seed);
        std::vector<Series> series;
        for (const double bytes : {131072., 262144., 524288., 1048576.})
            series.push_back(
                {2, bytes, synthetic::repeat(-2.4e-3 + bytes / rate, {0.01, 8}, random)});
        const auto fit = fit_rate(series, "port", seed);
        ASSERT_TRUE(fit) << fit.error().message;
        EXPECT_NEAR(fit->goodput_bytes_per_s.value, rate, 0.03 * rate);
        held += fit->goodput_bytes_per_s.covers(rate);
    }
    EXPECT_GE(held, 85);
}

TEST(RateFit, TrainsThatMeanNothing) {
    Random random(1);
    std::vector<Series> good;
    for (const double bytes : {131072., 262144., 524288., 1048576.})
        good.push_back({2, bytes, synthetic::repeat(1e-3 + bytes / 6e6, {0.01, 8}, random)});
    EXPECT_TRUE(fit_rate(good, "port"));
    EXPECT_SAYS(refusal(fit_rate(std::span(good).first(2), "port")), "port: 2 length(s)");
    EXPECT_SAYS(refusal(fit_rate(std::span(good).subspan(1), "port")), "it was fitted");
    auto close = good;
    for (std::size_t i = 0; i < close.size(); ++i)
        close[i].size_bytes = 1e6 + 1e4 * static_cast<double>(i);
    EXPECT_SAYS(refusal(fit_rate(close, "port")), "span less than a factor of 4");
    auto constant = good;
    for (Series& series : constant)
        series.times_s.assign(8, 0.1);
    EXPECT_SAYS(refusal(fit_rate(constant, "port")), "do not grow with size");
    auto negative = good;
    negative[1].times_s[2] = -0.1;
    EXPECT_SAYS(refusal(fit_rate(negative, "port")), "times must be positive and finite");
    auto turned = good;
    std::swap(turned[0].times_s, turned[3].times_s);
    EXPECT_SAYS(refusal(fit_rate(turned, "port")), "do not grow with size");
    int fitted = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random noise(seed);
        auto stirred = good;
        for (Series& series : stirred)
            series.times_s = synthetic::repeat(0.1, {0.2, 8}, noise);
        fitted += bool(fit_rate(stirred, "port"));
    }
    EXPECT_EQ(fitted, 0);
}

TEST(RateFit, ShortMessagesMayChangePlaces) {
    // As measured between two ranks of a host on a busy machine: both short ones take the same
    // time.
    const std::vector<Series> copies{
        {2, 1, {12.7e-6, 14.8e-6, 23.8e-6, 14.2e-6, 19.5e-6, 18.1e-6}},
        {2, 4096, {9.9e-6, 9.4e-6, 18.0e-6, 14.2e-6, 14.2e-6, 11.8e-6}},
        {2, 65536, {27.3e-6, 27.7e-6, 32.5e-6, 26.6e-6, 30.3e-6, 22.7e-6}},
        {2, 1048576, {214.2e-6, 214.7e-6, 217.7e-6, 210.6e-6, 200.9e-6, 201.0e-6}}};
    const auto fit = fit_rate(copies, "copies");
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_NEAR(fit->goodput_bytes_per_s.value, 5.3e9, 0.2e9);
    // If they surely take less than the shorter ones, something else decides.
    auto apart = copies;
    for (double& time_s : apart[0].times_s)
        time_s *= 8;
    EXPECT_SAYS(refusal(fit_rate(apart, "copies")), "do not grow with size");
}
