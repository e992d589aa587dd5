// SPDX-License-Identifier: BSD-3-Clause
// Sizes, rates and times are read as people write them, and refused when they make no sense.
#include "core/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

using namespace alltold;

TEST(Units, ReadsSizes) {
    EXPECT_EQ(*parse_size("4096"), 4096u);
    EXPECT_EQ(*parse_size("64KiB"), 65536u);
    EXPECT_EQ(*parse_size("1MB"), 1000000u);
    EXPECT_EQ(*parse_size("1.5MiB"), 1572864u);
    EXPECT_EQ(*parse_size("0"), 0u);
    EXPECT_EQ(*parse_size("3 kB"), 3000u);
}

TEST(Units, RefusesWhatIsNoSize) {
    for (const auto* text :
         {"", "KiB", "12parsecs", "-1", "1.5", "nan", "inf", "1e30", "4 096", "64Kib"}) {
        const auto size = parse_size(text);
        ASSERT_FALSE(size) << text;
        EXPECT_NE(size.error().message.find(text), std::string::npos);
        EXPECT_EQ(size.error().status, ExitStatus::bad_input);
    }
}

TEST(Units, ReadsRatesAndTimes) {
    EXPECT_DOUBLE_EQ(*parse_rate("50Mbit"), 50e6);
    EXPECT_DOUBLE_EQ(*parse_rate("1Gbit"), 1e9);
    EXPECT_FALSE(parse_rate("0"));
    EXPECT_FALSE(parse_rate("50"));
    EXPECT_FALSE(parse_rate("50MiB"));
    EXPECT_DOUBLE_EQ(*parse_time("5ms"), 0.005);
    EXPECT_DOUBLE_EQ(*parse_time("0"), 0);
    EXPECT_FALSE(parse_time("5"));
}

TEST(Units, PrintsWhatPeopleRead) {
    EXPECT_EQ(format_size(65536), "64 KiB");
    EXPECT_EQ(format_size(1000), "1000 B");
    EXPECT_EQ(format_size(1572864), "1536 KiB");
    EXPECT_EQ(format_time(0.0123), "12.3 ms");
    EXPECT_EQ(format_rate(50e6), "50 Mbit/s");
}

TEST(Units, SizeWordsReadBack) {
    EXPECT_TRUE(rc::check("parse_size(format_size_word(x)) == x", [] {
        const auto size = *rc::gen::inRange<std::uint64_t>(0, 1ull << 40);
        RC_ASSERT(*parse_size(format_size_word(size)) == size);
    }));
}
