// SPDX-License-Identifier: BSD-3-Clause
// A percentage is never longer than a person can read.
#include "core/units.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace alltold {
namespace {

TEST(Percent, HasAnEnd) {
    EXPECT_EQ(format_percent(0.1234), "12.3 %");
    EXPECT_EQ(format_percent(0.1234, 0), "12 %");
    EXPECT_EQ(format_signed_percent(0.1234), "+12.3 %");
    EXPECT_EQ(format_signed_percent(-0.04), "-4.0 %");
    EXPECT_EQ(format_percent(10), "1000.0 %");
    EXPECT_EQ(format_percent(34448247.35), "over 1000 %");
    EXPECT_EQ(format_signed_percent(2.9e60), "over 1000 %");
    EXPECT_EQ(format_percent(std::numeric_limits<double>::infinity()), "unknown");
    EXPECT_EQ(format_signed_percent(std::nan("")), "unknown");
}

TEST(Ratio, HasAnEnd) {
    EXPECT_EQ(format_ratio(1.254), "1.25");
    EXPECT_EQ(format_ratio(5, 1), "5.0");
    EXPECT_EQ(format_ratio(1e189), "over 1000");
    EXPECT_EQ(format_ratio(std::nan("")), "unknown");
}

} // namespace
} // namespace alltold
