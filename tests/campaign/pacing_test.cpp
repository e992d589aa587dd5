// SPDX-License-Identifier: BSD-3-Clause
// Adaptive repetition, margins, tolerance and the translation of clocks.
#include "campaign/policies/calibrate.hpp"
#include "campaign/policies/point_progress.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "campaign/engine/clock.hpp"
#include "campaign/engine/samples.hpp"
#include "campaign/engine/start.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

PointProgress pace_of(std::uint64_t size_bytes, std::vector<double> times_s) {
    PointProgress progress;
    progress.point = {"alltoall", "mpi", Clusters({4}), size_bytes, -1, -1};
    progress.times_s = std::move(times_s);
    return progress;
}

Why why_after(std::vector<double> times_s, const Goal& goal = {}) {
    auto progress = pace_of(1, std::move(times_s));
    progress.judge(goal);
    return progress.why;
}

} // namespace

TEST(Pacing, StopsWhenTheIntervalIsTightAndNotBefore) {
    EXPECT_EQ(why_after(std::vector<double>(5, 1.)), Why::active) << "no interval from five";
    EXPECT_EQ(why_after(std::vector<double>(6, 1.)), Why::tight);
    EXPECT_EQ(why_after({1, 1, 1, 1, 1, 1.2}), Why::active);
    EXPECT_EQ(why_after({1, 1.02, 1.04, 1, 1.02, 1.05}), Why::tight);
    std::vector<double> wild;
    for (int i = 0; i < 30; ++i)
        wild.push_back(1 + i);
    EXPECT_EQ(why_after(wild), Why::most);
    Goal exactly;
    exactly.exactly = 3;
    EXPECT_EQ(why_after({1, 1}, exactly), Why::active);
    EXPECT_EQ(why_after({1, 5, 9}, exactly), Why::exactly);
}

TEST(Pacing, RepeatsWhatDisagrees) {
    const auto goal = rough_calibration().goal;
    EXPECT_EQ(why_after({1, 1.01, 1.02}, goal), Why::exactly);
    EXPECT_EQ(why_after({1, 1, 5}, goal), Why::exactly) << "one outlier does not move the median";
    EXPECT_EQ(why_after({1, 1.5, 2}, goal), Why::active);
    EXPECT_EQ(pace_of(1, {1, 1.5, 2}).wanted(goal), 3);
    EXPECT_EQ(pace_of(1, {1, 1.5, 2, 2.5, 3, 3.5, 4, 5}).wanted(goal), 1);
    EXPECT_EQ(why_after({1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6}, goal), Why::most);
    auto flood = pace_of(1, {1, 1, 1});
    for (const double queue_packets : {50., 70., 100.})
        flood.add_derived({"flood_queue", "mpi", Clusters({4}), 1472}, queue_packets);
    flood.judge(goal);
    EXPECT_EQ(flood.why, Why::active) << "what it says of the queue disagrees";
}

TEST(Pacing, AsksForEnoughAndNeverForMoreThanAllowed) {
    Goal goal;
    for (int taken = 0; taken < goal.most; ++taken) {
        const int wanted =
            pace_of(1, std::vector<double>(static_cast<std::size_t>(taken), 1.)).wanted(goal);
        EXPECT_GE(wanted, 1);
        EXPECT_LE(taken + wanted, goal.most);
    }
    EXPECT_EQ(pace_of(1, {1, 1, 1}).wanted(goal), 3);
    goal.exactly = 12;
    EXPECT_EQ(pace_of(1, {}).wanted(goal), 10);
    EXPECT_EQ(pace_of(1, std::vector<double>(10, 1.)).wanted(goal), 2);
}

TEST(Pacing, ExpectsTheTimeOfTheNextSmallerSizeInProportion) {
    std::vector<PointProgress> all{pace_of(1024, {1.}), pace_of(65536, {2.}), pace_of(262144, {}),
                                   pace_of(1, {0.5})};
    EXPECT_DOUBLE_EQ(expected_s(all[1], all), 2.);
    EXPECT_DOUBLE_EQ(expected_s(all[2], all), 8.);
    EXPECT_DOUBLE_EQ(expected_s(pace_of(1024, {}), {pace_of(1, {0.5})}), 0.5);
    EXPECT_EQ(expected_s(pace_of(1, {}), all), 0.);
}

TEST(Pacing, ShufflesEachPassInItsOwnOrderTheSameForASeed) {
    std::vector<PointProgress> points;
    for (std::uint64_t size = 1; size <= 50; ++size)
        points.push_back(pace_of(size, {}));
    const auto first = shuffled(points, "", 7, 0);
    EXPECT_EQ(first, shuffled(points, "", 7, 0));
    EXPECT_NE(first, shuffled(points, "", 7, 1));
    EXPECT_NE(first, shuffled(points, "", 8, 0));
    auto sorted = first;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i)
        EXPECT_EQ(sorted[i], i);
    auto some = points;
    some[3].why = Why::tight;
    EXPECT_EQ(shuffled(some, "", 7, 0).size(), 49U);
    for (auto& progress : some)
        progress.times_s = {1, 1, 1};
    some[20].times_s = {1, 1};
    EXPECT_EQ(shuffled(some, "", 7, 0).front(), 20U) << "too few for a fit";
    some[4].point.probe = "pingpong";
    EXPECT_EQ(shuffled(some, "p2p", 7, 0), std::vector<std::size_t>{4});
}

TEST(Pacing, TakesAllSizesOfOnePairBeforeAnotherPair) {
    std::vector<PointProgress> points(30);
    for (int i = 0; i < 30; ++i) {
        auto& point = points[static_cast<std::size_t>(i)].point;
        point.probe = "pingpong";
        point.size_bytes = static_cast<std::uint64_t>(1 + i % 5);
        point.first_rank = 2 * (i / 5);
        point.clusters = i < 15 ? Clusters({2}) : Clusters({1, 1});
    }
    const auto order = shuffled(points, "", 7, 0);
    for (std::size_t i = 0; i < 30; ++i)
        EXPECT_EQ(order[i] / 5 % 3, i / 10) << i << ": intra- and inter-cluster pairs in turn";
    for (auto& progress : points)
        progress.times_s = {1, 1, 1};
    const auto later = shuffled(points, "", 7, 1);
    EXPECT_FALSE(std::is_sorted(later.begin(), later.end(), [](auto a, auto b) {
        return a / 5 % 3 < b / 5 % 3;
    })) << "what was measured is refined in any order";
}

TEST(Margin, GrowsUntilAllAreToldInTimeAndShrinksAgain) {
    Margin margin(0, 0);
    const double first_s = margin.now_s();
    const auto network = [&](double needed_s, int times) {
        for (int i = 0; i < times; ++i)
            margin.learn(margin.now_s() - needed_s);
    };
    network(20e-3, 30);
    EXPECT_GT(margin.now_s(), 20e-3);
    EXPECT_LT(margin.now_s(), 80e-3);
    network(0.1e-3, 200);
    EXPECT_LT(margin.now_s(), 2 * first_s);
}

TEST(Margin, IsOfOneClusterWhereClustersAreDistant) {
    Starts starts(40e-3, 1e-6);
    for (const bool one_cluster : {true, false})
        for (int i = 0; i < 30; ++i) {
            auto& margin = starts.margin(one_cluster);
            EXPECT_GE(margin.now_s(), one_cluster ? 2e-3 : 40e-3) << "all are notified in time";
            margin.learn(margin.now_s() - (one_cluster ? 2e-3 : 20e-3));
        }
    EXPECT_LT(starts.margin(true).now_s(), 7e-3);
}

TEST(StartTolerance, LetsPassWhatTheMachineCannotDoBetterAndNoMore) {
    StartTolerance quiet;
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(quiet.judge(20e-6, 0));
    EXPECT_TRUE(quiet.judge(150e-6, 0));
    EXPECT_FALSE(quiet.judge(150e-6, 1e-3)) << "1 ms does a repetition of 50 ms no harm";
    StartTolerance oversubscribed;
    int late = 0;
    for (int i = 0; i < 100; ++i)
        late += oversubscribed.judge(1e-3, 0);
    EXPECT_GT(late, 3);
    EXPECT_LT(late, 20);
    EXPECT_LT(oversubscribed.tolerance_s(), 2e-3 + 1e-9);
    for (int i = 0; i < 100; ++i)
        oversubscribed.judge(10e-6, 0);
    EXPECT_DOUBLE_EQ(oversubscribed.tolerance_s(), quiet.tolerance_s());
}

TEST(WarmUp, LastsWhileRepetitionsGetQuicker) {
    const auto warm_ups = [](const std::vector<double>& times_s) {
        WarmUp warm_up;
        return std::count_if(times_s.begin(), times_s.end(),
                             [&](double time_s) { return warm_up.holds(time_s, false); });
    };
    EXPECT_EQ(warm_ups({1, 1, 1}), 1);
    EXPECT_EQ(warm_ups({1, 0.95, 0.5}), 1) << "over once it is over";
    EXPECT_EQ(warm_ups({40, 20, 10, 9.5, 9.6}), 3);
    WarmUp hurried;
    EXPECT_TRUE(hurried.holds(40, true));
    EXPECT_FALSE(hurried.holds(20, true));
    EXPECT_EQ(warm_ups({64, 32, 16, 8, 4, 2, 1, 0.5}), 6);
}

TEST(GlobalClock, TranslatesThereAndBack) {
    EXPECT_TRUE(rc::check("to_local undoes to_global, drift recovered from exact readings", [] {
        const double drift = *rc::gen::inRange(-500, 500) * 1e-6;
        const double offset_s = *rc::gen::inRange(-100000, 100000) * 0.5;
        GlobalClock clock;
        for (const double local_s : {1000., 1001., 1003.}) {
            const double grown_s = offset_s + drift * local_s;
            clock.add({local_s, grown_s, 1e-9, 1e-9});
        }
        const double local_s = 1010;
        const double exact_s = local_s + offset_s + drift * local_s;
        RC_ASSERT(std::abs(clock.to_global(local_s) - exact_s) < 1e-7);
        RC_ASSERT(std::abs(clock.to_local(clock.to_global(local_s)) - local_s) < 1e-7);
    }));
}

TEST(GlobalClock, TakesNoNoiseForDrift) {
    GlobalClock within_error;
    for (const double local_s : {0., 5., 10.})
        within_error.add({local_s, 2e-6 * local_s, 20e-6, 50e-6});
    EXPECT_EQ(within_error.drift(), 0.);
    GlobalClock jumping;
    jumping.add({0, 0, 1e-6, 50e-6});
    jumping.add({5, 40e-6, 1e-6, 50e-6});
    jumping.add({10, 20e-6, 1e-6, 50e-6});
    EXPECT_EQ(jumping.drift(), 0.);
}
