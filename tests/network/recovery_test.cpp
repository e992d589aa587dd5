// SPDX-License-Identifier: BSD-3-Clause
// What data was made from comes back, inside the intervals as often as they promise.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/statistics.hpp"
#include "network/signature/signature_fit.hpp"
#include "synthetic.hpp"

using namespace alltold;

namespace {

constexpr int trials = 200;

/// A network drawn at random, and what is measured of it.
struct Case {
    Hockney network;
    Signature signature;
    int n = 0;
    std::vector<double> sizes;
    synthetic::Noise noise;
};

double between(double low, double high, Random& random) { // uniform in the logarithm
    return low * std::pow(high / low, random.uniform());
}

/// 6 to 10 sizes from 1 KiB to 1 MiB, 10 to 20 repetitions, 5 % noise; at least two sizes pay
/// delta.
Case draw_case(Random& random) {
    Case drawn;
    drawn.network = {between(10e-6, 300e-6, random), between(1e-9, 200e-9, random)};
    const int count = 6 + static_cast<int>(random.index(5));
    drawn.sizes = synthetic::sizes(1024, std::pow(1024, 1.0 / (count - 1)), count);
    drawn.n = 8 + static_cast<int>(random.index(57));
    drawn.signature.gamma = between(1, 5, random);
    drawn.signature.delta_s = between(0.3e-3, 10e-3, random);
    drawn.signature.threshold_bytes =
        between(512, drawn.sizes[static_cast<std::size_t>(count - 2)], random);
    drawn.noise = {0.05, 10 + static_cast<int>(random.index(11))};
    return drawn;
}

/// How often each parameter was inside its interval, and how wide the intervals were.
struct Tally {
    int alpha = 0, beta = 0, gamma = 0, delta = 0, threshold = 0;
    std::vector<double> beta_width, gamma_width; ///< relative

    void add(const Case& truth, const HockneyFit& network, const SignatureFit& fit) {
        alpha += network.alpha_s.covers(truth.network.alpha_s);
        beta += network.beta_s_per_byte.covers(truth.network.beta_s_per_byte);
        gamma += fit.gamma.covers(truth.signature.gamma);
        delta += fit.delta_s.covers(truth.signature.delta_s);
        threshold += fit.threshold_bytes.covers(truth.signature.threshold_bytes);
        const auto& b = network.beta_s_per_byte;
        beta_width.push_back((b.high - b.low) / b.value);
        gamma_width.push_back((fit.gamma.high - fit.gamma.low) / fit.gamma.value);
    }

    void expect_at_least(double share) const {
        const double least = share * trials;
        EXPECT_GE(alpha, least);
        EXPECT_GE(beta, least);
        EXPECT_GE(gamma, least);
        EXPECT_GE(delta, least);
        EXPECT_GE(threshold, least);
        ::testing::Test::RecordProperty("covered",
                                        std::to_string(alpha) + " " + std::to_string(beta) + " " +
                                            std::to_string(gamma) + " " + std::to_string(delta) +
                                            " " + std::to_string(threshold));
    }
};

} // namespace

TEST(Recovery, EveryParameterIsInsideItsInterval) {
    Tally tally;
    for (int trial = 0; trial < trials; ++trial) {
        Random random(static_cast<std::uint64_t>(trial));
        const Case truth = draw_case(random);
        const auto network =
            fit_hockney(synthetic::pingpong(truth.network, truth.sizes, truth.noise, random), 1);
        ASSERT_TRUE(network) << network.error().message;
        const auto fit = fit_signature(synthetic::alltoall(truth.network, truth.signature, truth.n,
                                                           truth.sizes, truth.noise, random),
                                       *network, 1);
        ASSERT_TRUE(fit) << fit.error().message;
        tally.add(truth, *network, *fit);
    }
    tally.expect_at_least(0.90);
    // Intervals that hold everything would pass: with 5 % noise they must be narrow as well.
    EXPECT_LT(median(tally.beta_width), 0.08);
    EXPECT_LT(median(tally.gamma_width), 0.15);
}

TEST(Recovery, TheGigabitSignatureOfThePaper) {
    // SMT07 section 6.2; the paper gives no alpha and beta, these are a Gigabit network's.
    const Case truth{
        {50e-6, 8.5e-9}, {4.3628, 4.93e-3, 8192}, 40, synthetic::sizes(1024, 2, 11), {0.05, 15}};
    Tally tally;
    int threshold_exact = 0;
    std::vector<double> delta_error;
    for (int trial = 0; trial < trials; ++trial) {
        Random random(1000 + static_cast<std::uint64_t>(trial));
        const auto network =
            fit_hockney(synthetic::pingpong(truth.network, truth.sizes, truth.noise, random), 1);
        ASSERT_TRUE(network) << network.error().message;
        const auto fit = fit_signature(synthetic::alltoall(truth.network, truth.signature, truth.n,
                                                           truth.sizes, truth.noise, random),
                                       *network, 1);
        ASSERT_TRUE(fit) << fit.error().message;
        tally.add(truth, *network, *fit);
        threshold_exact += fit->threshold_bytes.value == 8192 && fit->threshold_bytes.low == 4096;
        delta_error.push_back(std::abs(fit->delta_s.value / truth.signature.delta_s - 1));
    }
    tally.expect_at_least(0.90);
    EXPECT_EQ(threshold_exact, trials); // delta is plain here
    EXPECT_LT(median(delta_error), 0.02);
}

TEST(Recovery, GammaIsNoBetterKnownThanAlphaAndBeta) {
    // All-to-all times almost without noise: nearly all of gamma's error is beta's.
    const Case truth{
        {200e-6, 165e-9}, {2.2, 3e-3, 16384}, 12, synthetic::sizes(1024, 4, 6), {0.05, 10}};
    int gamma = 0;
    for (int trial = 0; trial < trials; ++trial) {
        Random random(3000 + static_cast<std::uint64_t>(trial));
        const auto network =
            fit_hockney(synthetic::pingpong(truth.network, truth.sizes, truth.noise, random), 1);
        ASSERT_TRUE(network) << network.error().message;
        const auto fit = fit_signature(synthetic::alltoall(truth.network, truth.signature, truth.n,
                                                           truth.sizes, {0.002, 20}, random),
                                       *network, 1);
        ASSERT_TRUE(fit) << fit.error().message;
        gamma += fit->gamma.covers(truth.signature.gamma);
    }
    EXPECT_GE(gamma, 0.90 * trials);
}

TEST(Recovery, NoDeltaIsClaimedWhereThereIsNone) {
    const Case truth{{10e-6, 4e-9}, {2.49754, 0, 0}, 24, synthetic::sizes(1024, 2, 8), {0.05, 15}};
    int none = 0;
    int gamma = 0;
    int delta = 0;
    for (int trial = 0; trial < trials; ++trial) {
        Random random(2000 + static_cast<std::uint64_t>(trial));
        const auto fit = fit_signature(synthetic::alltoall(truth.network, truth.signature, truth.n,
                                                           truth.sizes, truth.noise, random),
                                       truth.network, 1);
        ASSERT_TRUE(fit) << fit.error().message;
        none += fit->delta_s.value == 0 && fit->threshold_bytes.value == 0;
        gamma += fit->gamma.covers(truth.signature.gamma);
        delta += fit->delta_s.covers(0);
    }
    EXPECT_GE(none, 0.95 * trials);
    EXPECT_GE(gamma, 0.90 * trials);
    EXPECT_GE(delta, 0.90 * trials);
}

TEST(Recovery, AStepAtTheEagerLimitStandsOutEarlierThanOneAnywhere) {
    constexpr int few = 40;
    const Estimate limit = Estimate::exact(16000);
    int without = 0, with = 0, gamma = 0, delta = 0, claimed_wrongly = 0;
    for (int trial = 0; trial < few; ++trial) {
        Random random(4000 + static_cast<std::uint64_t>(trial));
        const Hockney network{50e-6, 8.5e-9};
        // So small a delta is seen in a third of the cases.
        const auto measured = [&](double delta_s) {
            return synthetic::alltoall(network, {2, delta_s, 16384}, 24,
                                       synthetic::sizes(1024, 2, 8), {0.05, 15}, random);
        };
        HockneyFit exact;
        exact.alpha_s = Estimate::exact(network.alpha_s);
        exact.beta_s_per_byte = Estimate::exact(network.beta_s_per_byte);
        const auto series = measured(15e-6);
        const auto alone = fit_signature(series, exact, 1);
        const auto told = fit_signature(series, exact, 1, limit);
        const auto none = fit_signature(measured(0), exact, 1, limit);
        ASSERT_TRUE(alone && told && none);
        without += alone->delta_s.value > 0;
        if (told->delta_s.value > 0) {
            ++with;
            EXPECT_EQ(told->threshold_bytes.value, 16001);
            EXPECT_EQ(told->threshold_bytes.low, 16001);
        }
        gamma += told->gamma.covers(2);
        delta += told->delta_s.covers(15e-6);
        claimed_wrongly += none->delta_s.value > 0;
    }
    EXPECT_GE(with, without + 5);
    EXPECT_GE(gamma, 0.90 * few);
    EXPECT_GE(delta, 0.90 * few);
    EXPECT_LE(claimed_wrongly, 0.1 * few);
}

TEST(Recovery, TimeoutsInATenthOfTheRepetitionsDoNotMoveIt) {
    const Case truth{
        {200e-6, 165e-9}, {2.2, 3e-3, 16384}, 12, synthetic::sizes(1024, 2, 10), {0.05, 20}};
    Random random(5);
    auto series = synthetic::alltoall(truth.network, truth.signature, truth.n, truth.sizes,
                                      truth.noise, random);
    for (Series& one : series)
        for (std::size_t i = 0; i < one.times_s.size(); i += 10)
            one.times_s[i] += 0.2;
    const auto fit = fit_signature(series, truth.network, 1);
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_NEAR(fit->gamma.value, 2.2, 0.1);
    EXPECT_NEAR(fit->delta_s.value, 3e-3, 0.6e-3);
    EXPECT_EQ(fit->threshold_bytes.value, 16384);
}

TEST(Recovery, ExactDataGivesExactParameters) {
    const Case truth{
        {200e-6, 165e-9}, {2.2, 3e-3, 16384}, 12, synthetic::sizes(1024, 4, 6), {0, 5}};
    Random random(1);
    const auto network =
        fit_hockney(synthetic::pingpong(truth.network, truth.sizes, truth.noise, random));
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_NEAR(network->alpha_s.value, 200e-6, 1e-12);
    EXPECT_NEAR(network->beta_s_per_byte.value, 165e-9, 1e-15);
    EXPECT_NEAR(network->latency_s.value, 200e-6 + 1024 * 165e-9, 1e-12);
    const auto fit = fit_signature(synthetic::alltoall(truth.network, truth.signature, truth.n,
                                                       truth.sizes, truth.noise, random),
                                   *network);
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_NEAR(fit->gamma.value, 2.2, 1e-6);
    EXPECT_NEAR(fit->delta_s.value, 3e-3, 1e-8);
    EXPECT_EQ(fit->threshold_bytes.value, 16384);
    EXPECT_EQ(fit->reference_n, 12);
    EXPECT_EQ(fit->models.front().name, "signature");
    EXPECT_LT(fit->models.front().leave_one_out, 1e-6);
}

TEST(Recovery, TheLatencyOfLongMessagesIsWhatTheirBytesLeave) {
    constexpr Hockney network{1e-4, 1e-8};
    Random random(3);
    const auto long_ones = synthetic::pingpong(network, {65536, 262144, 1048576}, {0.01}, random);
    const auto fit = fit_hockney(long_ones);
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_TRUE(fit->latency_s.covers(1e-4)) << fit->latency_s.low << " " << fit->latency_s.high;
    EXPECT_LT(fit->latency_s.value, 2e-4) << "the smallest message takes 7.6e-4";
    const auto beside = fit_alpha(long_ones, Estimate::exact(1e-8));
    ASSERT_TRUE(beside) << beside.error().message;
    EXPECT_LT(beside->latency_s.value, 2e-4);
}
