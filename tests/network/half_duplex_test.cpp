// SPDX-License-Identifier: BSD-3-Clause
// The half-duplex factor is a ratio from 1 to 2, and applies to calls by rendezvous after a
// barrier.
#include "network/half_duplex.hpp"

#include <gtest/gtest.h>

#include "network/network.hpp"

namespace alltold {
namespace {

CallFromBothStarts call(double silence_s, double ratio, double error = 0.05) {
    const auto about = [&](double time_s) {
        return Estimate{time_s, time_s / (1 + error), time_s * (1 + error)};
    };
    return {about(silence_s), about(ratio * silence_s)};
}

TEST(HalfDuplex, is_the_median_ratio_with_all_ratios_in_its_interval) {
    const auto fit = fit_half_duplex(std::vector{call(1, 1.7), call(0.2, 1.8), call(3, 1.9)});
    EXPECT_NEAR(fit.factor.value, 1.8, 1e-9);
    EXPECT_NEAR(fit.factor.low, 1.7 / (1.05 * 1.05), 1e-9);
    EXPECT_NEAR(fit.factor.high, 1.9 * 1.05 * 1.05, 1e-9);
    EXPECT_EQ(fit.calls, 3);
}

TEST(HalfDuplex, of_few_calls_may_be_anything_from_1_to_2) {
    const auto one = fit_half_duplex(std::vector{call(1, 1.5)});
    EXPECT_EQ(one.factor.low, 1);
    EXPECT_EQ(one.factor.high, 2);
}

TEST(HalfDuplex, is_never_beyond_one_way_at_a_time_but_its_interval_is) {
    const auto lossy = fit_half_duplex(std::vector{call(1, 2.5), call(1, 2.6), call(1, 2.7)});
    EXPECT_EQ(lossy.factor.value, 2);
    EXPECT_GT(lossy.factor.high, 2.7);
    const auto faster = fit_half_duplex(std::vector{call(1, 0.9), call(1, 0.8), call(1, 0.95)});
    EXPECT_EQ(faster.factor.value, 1);
    EXPECT_EQ(faster.factor.low, 1);
}

TEST(HalfDuplex, applies_beyond_the_eager_limit_after_a_barrier_only) {
    Network network;
    network.half_duplex = {{1.8, 1.7, 1.9}, 3};
    network.eager_limit_bytes = Estimate::exact(65480);
    EXPECT_EQ(half_duplex_factor(network, 65536).value, 1);
    EXPECT_EQ(half_duplex_factor(network_after(network, StartMode::silence), 65536).value, 1);
    const auto after = network_after(network, StartMode::barrier);
    EXPECT_EQ(half_duplex_factor(after, 65536).value, 1.8);
    EXPECT_EQ(half_duplex_factor(after, 65536).low, 1.7);
    EXPECT_EQ(half_duplex_factor(after, 65480).value, 1);
    network.eager_limit_bytes.reset();
    EXPECT_EQ(half_duplex_factor(network_after(network, StartMode::barrier), 1e6).value, 1);
}

} // namespace
} // namespace alltold
