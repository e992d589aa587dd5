// SPDX-License-Identifier: BSD-3-Clause
// The time left that is shown counts what is measured afterwards.
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "campaign/policies/calibrate.hpp"
#include "campaign/policies/elimination.hpp"
#include "store/campaign.hpp"

namespace alltold::campaign {
namespace {

class TimeLeft : public testing::Test {
  protected:
    void SetUp() override {
        const Provenance here{{"h0", "h1"}, Clusters({2}), "MPI", "Linux", "clock"};
        auto opened = Campaign::resume(folder_ / "net.db", here, 1);
        ASSERT_TRUE(opened) << opened.error().message;
        store_.emplace(std::move(*opened));
    }

    /// What the line of progress names, ten seconds after the first call of next.
    static double left_s(Policy& policy) {
        EXPECT_TRUE(policy.next(100));
        const auto line = policy.progress({.point = ping}, 110);
        const auto end = line.find(" s left");
        EXPECT_NE(end, line.npos) << line;
        return std::atof(line.c_str() + line.rfind(' ', end - 1));
    }

    static inline const Point ping{"pingpong", "mpi", Clusters({2}), 1024, 0, 1};
    test::Scratch folder_;
    std::optional<Campaign> store_;
};

TEST_F(TimeLeft, OfAnElimination) {
    std::vector<TunedCall> calls;
    EliminationPolicy policy(*store_, calls, {.budget_s = 60, .reserved_s = 25});
    EXPECT_EQ(left_s(policy), 60 - 10 + 25);
}

TEST_F(TimeLeft, OfACalibration) {
    Calibrate alone(*store_, {ping}, {.budget_s = 60});
    Calibrate before_more(*store_, {ping}, {.budget_s = 60, .reserved_s = 25});
    EXPECT_EQ(left_s(before_more), left_s(alone) + 25);
}

} // namespace
} // namespace alltold::campaign
