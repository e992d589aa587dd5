// SPDX-License-Identifier: BSD-3-Clause
// Eliminations among simulated algorithms: the winner, how much it costs, and time-outs of 200 ms.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/random.hpp"
#include "predict/design/elimination.hpp"

namespace alltold {
namespace {

/// Times about `median_s` with a normal spread, of which a share meets a time-out.
struct Arm {
    double median_s;
    double spread = 0.02;
    double time_outs = 0;

    double take(Random& random) const {
        const double time_s = median_s * std::max(0.2, 1 + spread * random.normal());
        return random.uniform() < time_outs ? time_s + 0.2 : time_s;
    }
};

struct Ran {
    std::size_t winner;
    int timings;
};

/// The first arm is the library's.
Ran run(const std::vector<Arm>& arms, std::uint64_t seed) {
    Random random(seed);
    std::vector<EliminationCandidate> candidates(arms.size());
    candidates[0].is_default = true;
    Elimination elimination(candidates);
    int timings = 0;
    for (auto running = elimination.running(); !running.empty(); running = elimination.running())
        for (const auto i : running) {
            elimination.add(i, arms[i].take(random));
            ++timings;
        }
    return {*elimination.winner(), timings};
}

TEST(Elimination, FindsTheQuickestOfVeryDifferentOnesAtOnce) {
    const auto ran = run({{1.93}, {0.21}, {0.9}, {0.6}}, 1);
    EXPECT_EQ(ran.winner, 1U);
    EXPECT_EQ(ran.timings, 6) << "one each, and three of the quickest";
}

TEST(Elimination, LosesLittleAndIsHardlyEverSlowerThanTheLibrary) {
    int slower = 0;
    double loss = 0;
    constexpr int eliminations = 400;
    Random random(7);
    for (int i = 0; i < eliminations; ++i) {
        std::vector<Arm> arms;
        const double scale_s = std::pow(10., -3 + 3 * random.uniform());
        for (int k = 0; k < 4; ++k)
            arms.push_back({scale_s * (1 + 0.3 * random.uniform()), 0.03});
        const auto ran = run(arms, 100 + static_cast<std::uint64_t>(i));
        double best_s = arms[0].median_s;
        for (const auto& arm : arms)
            best_s = std::min(best_s, arm.median_s);
        loss += arms[ran.winner].median_s / best_s - 1;
        slower += arms[ran.winner].median_s > 1.03 * arms[0].median_s ? 1 : 0;
    }
    EXPECT_LT(loss / eliminations, 0.02);
    EXPECT_LE(slower, eliminations / 100);
}

TEST(Elimination, TimeOutsOnFewRepetitionsDoNotDecide) {
    int wrong = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        // The better one meets a time-out in every tenth repetition.
        const auto ran = run({{0.150}, {0.100, 0.02, 0.1}}, seed);
        wrong += ran.winner == 1 ? 0 : 1;
    }
    EXPECT_LE(wrong, 4);
}

TEST(Elimination, WhatFollowsATimeOutDoesNotDecideEither) {
    // One time of the library's own, of 56 ms, met a time-out and small windows after it.
    Elimination elimination({{.predicted_s = {}, .is_default = true}, {.predicted_s = {}}});
    elimination.add(0, 0.333);
    elimination.add(1, 0.093);
    EXPECT_EQ(elimination.running().front(), 0U);
    elimination.add(0, 0.351);
    EXPECT_EQ(elimination.running(), std::vector<std::size_t>{1}) << "the quickest, three times";
}

TEST(Elimination, TimeOutsOnMostRepetitionsDo) {
    int wrong = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        wrong += run({{0.150}, {0.100, 0.02, 0.9}}, seed).winner == 0 ? 0 : 1;
    EXPECT_LE(wrong, 4);
}

TEST(Elimination, AmongEqualsTheLibrarysOwnWins) {
    int library = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        library += run({{0.1, 0.005}, {0.1, 0.005}}, seed).winner == 0 ? 1 : 0;
    EXPECT_GE(library, 90);
}

TEST(Elimination, AmongEqualsOfOursTheLeastCareWins) {
    Elimination elimination(
        {{.predicted_s = {}, .is_default = false, .care = 3, .times_s = {0.1, 0.1, 0.1}},
         {.predicted_s = {}, .is_default = false, .care = 1, .times_s = {0.1005, 0.1005}},
         {.predicted_s = {}, .is_default = false, .care = 0, .times_s = {0.2, 0.2, 0.2}}});
    EXPECT_EQ(elimination.winner(), 1U);
}

TEST(Elimination, NeverTimesWhatThePredictionRulesOut) {
    Elimination elimination({{.predicted_s = {}, .is_default = true},
                             {.predicted_s = Estimate{0.1, 0.09, 0.11}},
                             {.predicted_s = Estimate{0.5, 0.4, 0.6}}});
    EXPECT_EQ(elimination.running().size(), 3U) << "nothing is known yet";
    elimination.add(0, 0.3);
    elimination.add(1, 0.1);
    for (const auto i : elimination.running())
        EXPECT_NE(i, 2U);
}

TEST(Elimination, PredictionsThatWereTooLongForOneRuleOutNoOther) {
    Elimination elimination(
        {{.predicted_s = Estimate{0.3, 0.2, 0.4}}, {.predicted_s = Estimate{0.35, 0.25, 0.5}}});
    elimination.add(0, 0.1);
    EXPECT_EQ(elimination.running(), (std::vector<std::size_t>{0, 1}));
    Elimination unpredicted({{.predicted_s = {}, .is_default = true},
                             {.predicted_s = Estimate{0.3, 0.2, 0.4}},
                             {.predicted_s = Estimate{0.9, 0.8, 1}}});
    unpredicted.add(0, 0.1);
    EXPECT_EQ(unpredicted.running(), (std::vector<std::size_t>{0, 1}));
}

TEST(Elimination, EndsWhereNothingIsLeftToGainAboveTheFloor) {
    Elimination elimination({{.predicted_s = {}, .is_default = true}, {}, {}}, 0.099);
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(elimination.decided()) << "one time is not a median";
        elimination.add(0, 0.0995);
    }
    EXPECT_TRUE(elimination.decided());
    EXPECT_EQ(elimination.winner(), 0U);
    elimination.add(1, 0.05);
    EXPECT_FALSE(elimination.decided()) << "no floor, then";
}

TEST(Elimination, OneTimeDecidesNothing) {
    Elimination elimination({{.predicted_s = Estimate{1, 0.9, 1.1}, .is_default = true},
                             {.predicted_s = Estimate{9, 8.9, 9.1}}});
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(elimination.decided()) << i;
        EXPECT_EQ(elimination.running().front(), 0U);
        elimination.add(0, 1);
    }
    EXPECT_TRUE(elimination.decided()) << "the other is ruled out";
    Elimination alone({{.predicted_s = {}, .is_default = true}});
    alone.add(0, 1);
    EXPECT_TRUE(alone.decided()) << "nothing to choose from";
}

TEST(Elimination, ShortCallsAreTimedMoreOften) {
    const auto timings = [](double median_s) {
        return run({{median_s, 0.1}, {median_s, 0.1}}, 3).timings;
    };
    EXPECT_GT(timings(1e-3), 24);
    EXPECT_LE(timings(0.1), 24);
}

TEST(Elimination, WithoutTimesNobodyWins) {
    EXPECT_FALSE(Elimination({{.predicted_s = Estimate{1, 1, 1}}}).winner());
}

TEST(Elimination, EndsWhateverTheTimes) {
    EXPECT_TRUE(rc::check([] {
        const auto count = *rc::gen::inRange<std::size_t>(1, 6);
        const std::vector<EliminationCandidate> candidates(count);
        Elimination elimination(candidates);
        int timings = 0;
        for (auto running = elimination.running(); !running.empty();
             running = elimination.running())
            for (const auto i : running) {
                elimination.add(i, *rc::gen::inRange(1, 1000) * 1e-3);
                ++timings;
            }
        RC_ASSERT(timings <= 48 * static_cast<int>(count));
        RC_ASSERT(elimination.winner().has_value());
    }));
}

} // namespace
} // namespace alltold
