// SPDX-License-Identifier: BSD-3-Clause
// In what order a comparison measures, and for how long.
#include "campaign/policies/comparison.hpp"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

namespace alltold::campaign {
namespace {

/// Two broadcasts of two sizes.
ComparisonRequest request_on(const Clusters& clusters, StartMode start_mode) {
    ComparisonRequest request;
    request.collective = Collective::bcast;
    request.clusters = clusters;
    request.candidates = {{}, {Choice{*find_algorithm("bcast.binomial"), {}}}};
    request.sizes_bytes = {1024, 4096};
    request.repetitions = 3;
    request.start_mode = start_mode;
    return request;
}

/// What the comparison measures: of each point whether it was timed. A rank starts late in the
/// third timed repetition, which is therefore taken again.
std::vector<std::pair<Point, bool>> measured(const Clusters& clusters, StartMode start_mode) {
    const auto request = request_on(clusters, start_mode);
    auto entries = Comparison::entries_of(request);
    EXPECT_TRUE(entries);
    Comparison comparison(request, std::move(*entries));
    std::vector<std::pair<Point, bool>> all;
    int timed = 0;
    for (auto next = comparison.next(0); next && *next; next = comparison.next(0)) {
        const bool counts = (*next)->repetitions > 0;
        EXPECT_EQ(counts, (*next)->warm);
        all.emplace_back((*next)->point, counts);
        timed += counts ? 1 : 0;
        if (counts && timed == 3)
            continue;
        EXPECT_TRUE(comparison.observe(**next, {.value = 1, .warm_up = !counts}));
    }
    for (const auto& entry : comparison.outcome().entries) {
        EXPECT_EQ(entry.warmup_s, 1);
        EXPECT_EQ(entry.times_s.size(), 3u);
    }
    return all;
}

TEST(Comparison, RunsTheSameCallBeforeATimedOneOnSeveralClusters) {
    for (const auto mode : {StartMode::silence, StartMode::barrier}) {
        const auto all = measured(Clusters({2, 2}), mode);
        EXPECT_LE(all.size(), 4u + 2 * 12 + 1);
        for (std::size_t i = 1; i < all.size(); ++i)
            if (all[i].second) {
                EXPECT_EQ(all[i].first, all[i - 1].first) << i;
            }
    }
}

TEST(Comparison, RunsNothingBeforeATimedCallOnOneClusterOrInALoop) {
    EXPECT_EQ(measured(Clusters({4}), StartMode::silence).size(), 4u + 12 + 1);
    EXPECT_EQ(measured(Clusters({2, 2}), StartMode::loop).size(), 4u + 12 + 1);
}

TEST(Comparison, CandidatesOfARoundDoEqualWorkBetweenCalls) {
    auto request = request_on(Clusters({4}), StartMode::loop);
    request.sizes_bytes = {1024};
    request.between = {.work_s = 1e-3, .exponential = true};
    Comparison comparison(request, *Comparison::entries_of(request));
    std::vector<std::uint64_t> seeds;
    for (auto next = comparison.next(0); next && *next; next = comparison.next(0)) {
        const bool warm_up = (*next)->repetitions == 0;
        EXPECT_TRUE((*next)->between.exponential);
        EXPECT_EQ((*next)->between.work_s, 1e-3);
        if (!warm_up)
            seeds.push_back((*next)->between.seed);
        EXPECT_TRUE(comparison.observe(**next, {.value = 1, .warm_up = warm_up, .calls = 9}));
    }
    ASSERT_EQ(seeds.size(), 6u) << "three rounds of two candidates";
    EXPECT_EQ(seeds[0], seeds[1]);
    EXPECT_NE(seeds[1], seeds[2]);
    EXPECT_EQ(comparison.outcome().entry(0, 1024).calls, std::vector(3, 9));
}

TEST(Comparison, TimesOneSizeAfterTheOther) {
    const auto all = measured(Clusters({2, 2}), StartMode::silence);
    const auto size_of = [](const auto& measurement) { return measurement.first.size_bytes; };
    const auto warm = all.begin() + 4;
    EXPECT_TRUE(std::ranges::is_sorted(all.begin(), warm, std::greater(), size_of)) << "warm-ups";
    EXPECT_TRUE(std::ranges::is_sorted(warm, all.end(), std::less(), size_of));
}

TEST(Comparison, RepeatsATracedCallInWhichARankStartedLate) {
    auto request = request_on(Clusters({2, 2}), StartMode::silence);
    request.repetitions = 1;
    request.trace = true;
    Comparison comparison(request, *Comparison::entries_of(request));
    std::vector<std::uint64_t> traced;
    for (auto next = comparison.next(0); next && *next; next = comparison.next(0)) {
        if ((*next)->trace) {
            EXPECT_EQ((*next)->repetitions, 1);
            traced.push_back((*next)->point.size_bytes);
            if (traced.size() == 1)
                continue;
        }
        const bool warm_up = (*next)->repetitions == 0;
        EXPECT_TRUE(comparison.observe(**next, {.value = 1, .warm_up = warm_up}));
    }
    ASSERT_EQ(traced.size(), 11u) << "five of each size, and the late one again";
    EXPECT_EQ(traced[0], traced[1]);
}

TEST(Comparison, SharesTheTimeLeftSoThatSizesHaveAsManyRepetitions) {
    auto request = request_on(Clusters({4}), StartMode::silence);
    request.repetitions = 100;
    request.budget_s = 46.2;
    Comparison comparison(request, *Comparison::entries_of(request));
    double now_s = 0;
    for (auto next = comparison.next(now_s); next && *next; next = comparison.next(now_s)) {
        now_s += (*next)->point.size_bytes == 1024 ? 0.1 : 2;
        const bool warm_up = (*next)->repetitions == 0;
        EXPECT_TRUE(comparison.observe(**next, {.value = 1, .warm_up = warm_up}));
    }
    const auto& outcome = comparison.outcome();
    EXPECT_TRUE(outcome.out_of_time);
    EXPECT_NEAR(outcome.entry(0, 1024).times_s.size(), 10, 1) << "2 of 42 s after the warm-ups";
    EXPECT_NEAR(outcome.entry(0, 4096).times_s.size(), 10, 1);
}

} // namespace
} // namespace alltold::campaign
