// SPDX-License-Identifier: BSD-3-Clause
// What models miss is learnt from few calls, and its intervals hold on others.
#include "network/corrections/residual_fit.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "network/links/fit_links.hpp"

namespace alltold {
namespace {

constexpr double noise = 0.02;
const std::vector<std::string> algorithms{"flat", "chain", "binomial", "binary"};

/// A smooth miss, the same for all algorithms but for a level of their own; short calls are off by
/// more.
double true_ratio(const CallTraits& call) {
    const auto level = static_cast<double>(call.algorithm.size()) / 10 - 0.5;
    return level * 0.3 + 0.1 * std::sin(call.log2_size / 5) + 0.05 * call.log2_ranks +
           0.5 * 1e-3 / (1e-3 + call.modelled_s);
}

std::vector<MeasuredRatio> calls(const std::vector<double>& sizes, const std::vector<double>& ranks,
                                 Random& random, double scatter = noise) {
    std::vector<MeasuredRatio> made;
    for (const auto& algorithm : algorithms)
        for (const double log2_size : sizes)
            for (const double n : ranks) {
                CallTraits call{algorithm, 1e-4 + std::exp2(log2_size) * 1e-7 * n, log2_size,
                                std::log2(n)};
                made.push_back({call, true_ratio(call) + scatter * random.normal(), 0});
            }
    return made;
}

TEST(Residual, IsZeroAndWideFarFromWhatWasMeasured) {
    Random random(1);
    const Residual residual(calls({6, 10, 14, 18}, {4, 8}, random), {});
    const auto far = residual.at({"flat", 100, 200, 2});
    EXPECT_NEAR(far.log_ratio, 0, 1e-3);
    EXPECT_GE(far.sd, std::hypot(ResidualKernel().common_sd, ResidualKernel().own_sd));
    const auto& known = residual.measured().front();
    EXPECT_NEAR(residual.at(known.call).log_ratio, known.log_ratio, 0.1);
    EXPECT_LT(residual.at(known.call).sd, far.sd);
}

/// Nothing but one share of what is of short calls.
ResidualKernel only(double ResidualKernel::*share) {
    ResidualKernel kernel;
    for (const auto part :
         {&ResidualKernel::common_sd, &ResidualKernel::own_sd, &ResidualKernel::brief_common_sd,
          &ResidualKernel::brief_own_sd, &ResidualKernel::brief_growth_sd,
          &ResidualKernel::noise_sd, &ResidualKernel::jitter_s, &ResidualKernel::loss_sd,
          &ResidualKernel::window_sd, &ResidualKernel::own_window_sd})
        kernel.*part = 0;
    kernel.*share = 0.5;
    return kernel;
}

TEST(Residual, WhatLosesPacketsIsOffAlike) {
    CallTraits lossy{"flat", 0.1, 14, 3}, longer{"chain", 0.2, 15, 3};
    lossy.loses_packets = longer.loses_packets = true;
    const CallTraits other{"flat", 0.1, 10, 3}, shorter{"chain", 0.05, 13, 3};
    const Residual residual({{lossy, 1.1, 0}, {other, 0, 0}}, only(&ResidualKernel::loss_sd));
    EXPECT_NEAR(residual.at(longer).log_ratio, 1.1, 0.2);
    EXPECT_NEAR(residual.at(shorter).log_ratio, 0, 1e-6);
}

TEST(Residual, WindowsAreOffAlikeInAllCalls) {
    CallTraits waiting{"flat", 0.1, 14, 3}, longer{"chain", 0.2, 16, 3};
    waiting.window_share = 0.5;
    longer.window_share = 0.25;
    const CallTraits other{"chain", 0.2, 10, 3};
    const Residual residual({{waiting, 0.4, 1e-8}}, only(&ResidualKernel::window_sd));
    EXPECT_NEAR(residual.at(longer).log_ratio, 0.2, 1e-3);
    EXPECT_NEAR(residual.at(other).log_ratio, 0, 1e-6);
    EXPECT_GT(Residual({}, {}).at(longer).sd, Residual({}, {}).at(other).sd)
        << "not known without measurements";
}

TEST(Residual, OfShortCallsFadesWithTheirTime) {
    // Where the model says brief_s half of it is left.
    const CallTraits known{"flat", 1e-3, 6, 2};
    const auto ratio_at = [&](double ResidualKernel::*share, const CallTraits& call) {
        return Residual({{known, 0.3, 0}}, only(share)).at(call).log_ratio;
    };
    for (const auto share : {&ResidualKernel::brief_common_sd, &ResidualKernel::brief_own_sd}) {
        EXPECT_NEAR(ratio_at(share, known), 0.3, 1e-6);
        EXPECT_NEAR(ratio_at(share, {"flat", 1e-9, 6, 2}), 0.6, 1e-5);
        EXPECT_NEAR(ratio_at(share, {"flat", 3e-3, 6, 2}), 0.15, 1e-6);
        EXPECT_NEAR(ratio_at(share, {"flat", 1, 6, 2}), 0.6 / 1001, 1e-6);
    }
    EXPECT_NEAR(ratio_at(&ResidualKernel::brief_common_sd, {"chain", 1e-3, 6, 2}), 0.3, 1e-6);
    EXPECT_EQ(ratio_at(&ResidualKernel::brief_own_sd, {"chain", 1e-3, 6, 2}), 0);
}

TEST(Residual, OfShortCallsGrowsByDoublingsOfRanks) {
    const Residual residual({{{"flat", 1e-3, 6, 2}, 0.3, 0}},
                            only(&ResidualKernel::brief_growth_sd));
    EXPECT_NEAR(residual.at({"chain", 1e-3, 6, 4}).log_ratio, 0.6, 1e-6);
    EXPECT_NEAR(residual.at({"flat", 3e-3, 6, 4}).log_ratio, 0.3, 1e-6);
    EXPECT_EQ(residual.at({"flat", 1e-3, 6, 0}).log_ratio, 0) << "one rank";
}

TEST(ResidualFit, PredictsOtherSizesAndRanksInsideItsIntervals) {
    int inside = 0;
    int count = 0;
    double squares = 0;
    double squares_without = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Random random(seed);
        const auto measured = calls({6, 10, 14, 18}, {4, 8}, random);
        const auto fit = fit_residual(measured);
        ASSERT_TRUE(fit) << fit.error().message;
        const Residual residual(measured, fit->kernel);
        for (const auto& other : calls({5, 8, 12, 16, 20}, {6, 10, 12}, random)) {
            const auto expected = residual.at(other.call);
            const double error = expected.log_ratio - other.log_ratio;
            squares += error * error;
            squares_without += other.log_ratio * other.log_ratio;
            inside += std::abs(error) <= fit->reach * expected.sd ? 1 : 0;
            ++count;
        }
        EXPECT_GE(fit->left_out.covered, static_cast<int>(0.85 * fit->left_out.calls));
    }
    EXPECT_GT(inside, 0.85 * count);
    EXPECT_LT(std::sqrt(squares / count), 2 * noise);
    EXPECT_LT(squares, 0.05 * squares_without);
}

TEST(ResidualFit, FindsHowMuchIsNoise) {
    Random random(3);
    const std::vector<double> sizes{6, 8, 10, 12, 14, 16, 18, 20};
    const auto quiet = fit_residual(calls(sizes, {4, 8}, random, 0.01));
    const auto loud = fit_residual(calls(sizes, {4, 8}, random, 0.2));
    ASSERT_TRUE(quiet && loud);
    EXPECT_LT(quiet->kernel.noise_sd, 0.03);
    EXPECT_GT(loud->kernel.noise_sd, 0.08);
}

TEST(ResidualFit, LearnsThatPowersOfTwoAreSpecial) {
    Random random(5);
    auto measured = calls({6, 10, 14, 18}, {4, 5, 8}, random);
    const auto shift = [](MeasuredRatio& ratio) {
        if (ratio.call.algorithm == "binary" &&
            ratio.call.log2_ranks != std::floor(ratio.call.log2_ranks))
            ratio.log_ratio += 1;
    };
    for (auto& ratio : measured)
        shift(ratio);
    const auto fit = fit_residual(measured);
    ASSERT_TRUE(fit);
    EXPECT_GT(fit->kernel.power_gap, ResidualKernel().power_gap);
    const Residual residual(measured, fit->kernel);
    for (auto& other : calls({8, 12}, {6, 12}, random)) {
        shift(other);
        EXPECT_NEAR(residual.at(other.call).log_ratio, other.log_ratio, 0.2)
            << other.call.algorithm;
    }
}

TEST(ResidualFit, LearnsThatRendezvousIsAnotherCase) {
    Random random(5);
    const auto shift = [](MeasuredRatio& ratio) {
        ratio.call.rendezvous = ratio.call.log2_size >= 16;
        ratio.log_ratio += ratio.call.rendezvous ? 0.7 : 0;
    };
    auto measured = calls({6, 8, 10, 12, 14, 15, 16, 18}, {4, 8, 12}, random);
    for (auto& ratio : measured)
        shift(ratio);
    const auto fit = fit_residual(measured);
    ASSERT_TRUE(fit);
    EXPECT_GT(fit->kernel.rendezvous_gap, ResidualKernel().rendezvous_gap);
    const Residual residual(measured, fit->kernel);
    for (auto& other : calls({13, 17}, {6, 12}, random)) {
        shift(other);
        EXPECT_NEAR(residual.at(other.call).log_ratio, other.log_ratio, 0.2)
            << other.call.algorithm << " of 2^" << other.call.log2_size;
    }
}

TEST(Residual, KnowsAMeasuredCallAsWellAsItsOwnTimes) {
    Random random(5);
    const auto measured = calls({6, 10, 14, 18}, {4, 8}, random);
    const Residual residual(measured, {});
    constexpr double wide = 6;
    const auto known = residual.at(measured.front().call).of(1, wide);
    const auto usual = residual.at(measured.front().call).of(1, student_reach);
    EXPECT_EQ(known.high, usual.high) << "what others miss by does not widen it";
    auto other = measured.front().call;
    other.log2_size += 2;
    EXPECT_GT(residual.at(other).of(1, wide).high, residual.at(other).of(1, student_reach).high);
}

TEST(ResidualFit, PromisesLittleWhereNothingCanBeLeftOut) {
    Random random(4);
    const auto few = fit_residual(calls({6}, {4}, random));
    ASSERT_TRUE(few);
    EXPECT_EQ(few->left_out.calls, 0);
    EXPECT_GT(few->reach, 2) << "wider than a normal distribution";
    EXPECT_FALSE(fit_residual({}));
}

TEST(ResidualFit, LeavesACallWithATimeOutAside) {
    Random random(7);
    auto measured = calls({6, 10, 14, 18}, {4, 8}, random);
    const auto undisturbed = *fit_residual(measured);
    measured[9].log_ratio += 1.5;
    const auto one_error = *fit_residual(measured);
    const auto width = [&](const ResidualFit& fit, const std::vector<MeasuredRatio>& known) {
        return fit.reach * Residual(known, fit.kernel).at({"binary", 1e-3, 12, 3}).sd;
    };
    const double usual = width(undisturbed, measured);
    EXPECT_GT(width(one_error, measured), 2 * usual);
    const auto aside = *fit_residual(measured, {3, 9});
    EXPECT_TRUE(aside.outliers[9]);
    EXPECT_EQ(std::ranges::count(aside.outliers, true), 1) << "the other suspect is like the rest";
    // The call itself, and what is most like it, may time out again.
    measured[9].outlier = true;
    EXPECT_LT(width(aside, measured), 1.5 * usual);
    const Residual residual(measured, aside.kernel);
    EXPECT_GT(residual.at(measured[9].call).sd, 3 * residual.at(measured[3].call).sd);
}

TEST(ResidualFit, TakesManyTimeOutsForTheModelsError) {
    Random random(7);
    auto measured = calls({6, 10, 14, 18}, {4, 8}, random);
    std::vector<std::size_t> suspects;
    for (std::size_t i = 0; i < measured.size(); i += 2) {
        measured[i].log_ratio += 1.5;
        suspects.push_back(i);
    }
    EXPECT_LE(std::ranges::count(fit_residual(measured, suspects)->outliers, true),
              static_cast<int>(measured.size() / 10));
}

TEST(Residual, IncludesTheScatterOfSimilarCalls) {
    const CallTraits quiet{"flat", 1, 6, 2}, loud{"flat", 1, 16, 2};
    const Residual residual({{quiet, 0, 1e-6}, {loud, 0, 0.09}}, {});
    EXPECT_GT(residual.at({"flat", 1, 16.5, 2}).sd, 0.3);
    EXPECT_LT(residual.at({"flat", 1, 6.5, 2}).sd, 0.2);
}

TEST(Residual, WhatCannotLosePacketsTakesNoTimeOutsOfWhatMay) {
    CallTraits lossy{"paced", 0.03, 12, 3};
    lossy.may_lose = true;
    CallTraits lossless = lossy;
    lossless.log2_size = 12.5;
    lossless.may_lose = false;
    const Residual residual({{lossy, 2, 1e-4, true}, {lossless, 0, 1e-4}}, {});
    lossless.log2_size = lossy.log2_size = 12.2;
    EXPECT_GT(residual.at(lossy).sd, 0.5);
    EXPECT_LT(residual.at(lossless).sd, 0.3);
}

TEST(Residual, DistancesAreThoseOfEachCallLeftOut) {
    Random random(6);
    auto measured = calls({6, 10, 14}, {4, 8}, random);
    measured[3].log_ratio += 2;
    for (std::size_t i = 0; i < measured.size(); ++i)
        measured[i].variance = 1e-4 * static_cast<double>(i + 1);
    const auto distances = Residual(measured, {}).left_out_distances();
    ASSERT_EQ(distances.size(), measured.size());
    for (std::size_t i = 0; i < measured.size(); ++i) {
        auto others = measured;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const Residual residual(others, {});
        const auto& [call, log_ratio, variance, outlier] = measured[i];
        const auto expected = residual.at(call);
        const double sd = std::sqrt(residual.remaining_variance(call, residual.whitened(call)) +
                                    residual.noise_variance(call) + variance);
        EXPECT_NEAR(distances[i], std::abs(log_ratio - expected.log_ratio) / sd,
                    1e-3 * distances[i]);
    }
    EXPECT_EQ(std::ranges::max_element(distances) - distances.begin(), 3);
}

TEST(Residual, IsUnsureWhereTimeOutsMayComeOrNot) {
    const Residual residual({{{"flat", 1, 6, 2}, 0, 1e-6}}, {});
    CallTraits lossy{"flat", 1, 6, 2};
    const double sure = residual.at(lossy).sd;
    lossy.timeout_sd = 1;
    EXPECT_LT(sure, 0.2);
    EXPECT_GT(residual.at(lossy).sd, 1);
}

/// One-way times behind a token bucket of so many bytes.
std::vector<Series> pingpongs(double burst_bytes, double goodput_bytes_per_s) {
    std::vector<Series> series;
    for (double size = 1; size < 2e6; size *= 4)
        for (int pair = 0; pair < 2; ++pair)
            series.push_back({2, size,
                              std::vector<double>(5, 20e-6 + std::max(0., size - burst_bytes) /
                                                                 goodput_bytes_per_s),
                              pair});
    return series;
}

TEST(BurstFit, FindsWhatPassesAtOnce) {
    EXPECT_NEAR(fit_burst_bytes(pingpongs(3000, 6e6), 6e6), 3000, 10);
    EXPECT_EQ(fit_burst_bytes(pingpongs(0, 6e6), 6e6), 0);
    // Trains a little quicker or slower than ping-pongs make no burst.
    EXPECT_EQ(fit_burst_bytes(pingpongs(0, 6e6), 6.3e6), 0);
    EXPECT_EQ(fit_burst_bytes(pingpongs(0, 6e6), 5.7e6), 0);
    EXPECT_EQ(fit_burst_bytes({}, 6e6), 0);
}

} // namespace
} // namespace alltold
