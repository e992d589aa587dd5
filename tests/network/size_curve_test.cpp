// SPDX-License-Identifier: BSD-3-Clause
// A curve passes through its points, bends nowhere else, and so do the ends of its intervals.
#include "network/size_curve.hpp"

#include <gtest/gtest.h>

namespace alltold {
namespace {

/// Flat to 10, up to 100 bytes by 1 s a byte, then by 0.5 s a byte.
const SizeCurve bent({{10, 5}, {100, {95, 90, 100}}, {200, 145}});

TEST(SizeCurve, interpolates_and_goes_on) {
    EXPECT_EQ(SizeCurve()(7), 0);
    EXPECT_EQ(SizeCurve({{10, 5}})(1000), 5);
    EXPECT_EQ(bent(0), 5);
    EXPECT_EQ(bent(10), 5);
    EXPECT_EQ(bent(11), 6);
    EXPECT_EQ(bent(100), 95);
    EXPECT_EQ(bent(102), 96);
    EXPECT_EQ(bent(202), 146);
    EXPECT_EQ(SizeCurve({{0, 2}, {1, 1}})(5), 1) << "never downwards beyond the last point";
    EXPECT_EQ(SizeCurve::line(3, 2, 4)(10), 23);
    EXPECT_EQ(SizeCurve::line(3, 2, 4)(0), 11) << "constant below the first";
}

TEST(SizeCurve, interpolates_the_ends_of_intervals) {
    // Halfway from (10: 5 exactly) to (100: 90 to 100).
    const auto half = bent.estimate(55);
    EXPECT_EQ(half.value, 50);
    EXPECT_EQ(half.low, 47.5);
    EXPECT_EQ(half.high, 52.5);
    EXPECT_EQ(bent.low()(55), 47.5);
    EXPECT_EQ(bent.high()(55), 52.5);
    EXPECT_EQ(bent.high().estimate(55).low, 52.5) << "an end is itself exact";
    EXPECT_TRUE(SizeCurve().low().points().empty());
}

} // namespace
} // namespace alltold
