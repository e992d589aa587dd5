// SPDX-License-Identifier: BSD-3-Clause
// What precedes the timed repetitions of a comparison.
#include "campaign/policies/comparison.hpp"

#include <gtest/gtest.h>

namespace alltold::campaign {
namespace {

/// What a comparison of two broadcasts of two sizes measures: of each point whether it was timed.
/// A rank starts late in the third timed repetition, which is therefore taken again.
std::vector<std::pair<Point, bool>> measured(const Clusters& clusters, StartMode start_mode) {
    ComparisonRequest request;
    request.collective = Collective::bcast;
    request.clusters = clusters;
    request.candidates = {{}, {Choice{*find_algorithm("bcast.binomial"), {}}}};
    request.sizes_bytes = {1024, 4096};
    request.repetitions = 3;
    request.start_mode = start_mode;
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

TEST(Comparison, RunsNothingBeforeATimedCallOnOneClusterOrBackToBack) {
    EXPECT_EQ(measured(Clusters({4}), StartMode::silence).size(), 4u + 12 + 1);
    EXPECT_EQ(measured(Clusters({2, 2}), StartMode::back_to_back).size(), 4u + 12 + 1);
}

} // namespace
} // namespace alltold::campaign
