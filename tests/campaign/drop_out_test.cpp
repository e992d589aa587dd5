// SPDX-License-Identifier: BSD-3-Clause
// Who is timed again: hopeless candidates are not, those that may have had bad luck are.
#include <gtest/gtest.h>

#include "campaign/policies/comparison.hpp"

namespace alltold::campaign {
namespace {

TEST(DropOut, TakesWhoWasNeverNearTheQuickest) {
    const std::vector<CandidateTimes> all{{.9, {1.0, 1.1}}, {1.7, {1.6, 1.8}}, {9, {1.4, 2.0}}};
    EXPECT_EQ(too_slow(all, 1.5), (std::vector{false, true, false}));
    EXPECT_EQ(too_slow(all, 1.3), (std::vector{false, true, true}));
}

TEST(DropOut, AQuickWarmUpCountsForWhoHadOne) {
    EXPECT_EQ(too_slow(std::vector<CandidateTimes>{{1, {1}}, {1.2, {5, 5}}}, 1.5),
              (std::vector{false, false}));
}

TEST(DropOut, AWarmUpAloneIsNoReasonUnlessItTookASecondTooLong) {
    const std::vector<CandidateTimes> all{{.1, {}}, {1.1, {}}, {1.2, {}}};
    EXPECT_EQ(too_slow(all, 1.5), (std::vector{false, false, true}));
}

TEST(DropOut, ALuckyRepetitionOfTheQuickestIsNotItsMedian) {
    // 1.6 is over 1.5 times 1.0, but not over 1.5 times the median of 1.0, 1.1 and 1.2.
    EXPECT_EQ(too_slow(std::vector<CandidateTimes>{{2, {1.0, 1.1, 1.2}}, {1.6, {1.7}}}, 1.5),
              (std::vector{false, false}));
}

TEST(DropOut, WhoStaysStays) {
    EXPECT_EQ(too_slow(std::vector<CandidateTimes>{{1, {1, 1}}, {9, {9, 9}, true}}, 1.5),
              (std::vector{false, false}));
}

} // namespace
} // namespace alltold::campaign
