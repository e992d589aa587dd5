// SPDX-License-Identifier: BSD-3-Clause
// Sizes, rates and times are read as people write them, and refused when they make no sense.
#include "core/units.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/limits.hpp"

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
    EXPECT_NE(parse_time("1e308h").error().message.find("too large"), std::string::npos);
    EXPECT_NE(parse_rate("1e308Gbit").error().message.find("too large"), std::string::npos);
}

TEST(Units, PrintsWhatPeopleRead) {
    EXPECT_EQ(format_size(65536), "64 KiB");
    EXPECT_EQ(format_size(1000), "1000 B");
    EXPECT_EQ(format_size(1572864), "1536 KiB");
    EXPECT_EQ(format_time(0.0123), "12.3 ms");
    EXPECT_EQ(format_rate(50e6), "50 Mbit/s");
    EXPECT_EQ(format_size(9e15), "8185 TiB");
    EXPECT_EQ(format_size(0x1p53), "8 PiB");
    EXPECT_EQ(format_size(13 * 0x1p40), "13 TiB");
    EXPECT_EQ(*parse_size("2TiB"), 1ULL << 41);
    EXPECT_EQ(*parse_size("1.5PB"), 1'500'000'000'000'000ULL);
    EXPECT_EQ(format_time(34193), "34193 s");
    EXPECT_EQ(format_time(2385564842751), "2.39e+12 s");
    EXPECT_EQ(format_time(1e300), "1e+300 s");
    EXPECT_EQ(format_time(INFINITY), "inf s");
    EXPECT_EQ(format_time(1e-300), "1e-291 ns");
    EXPECT_EQ(format_rate(1e-300), "1e-300 bit/s");
}

TEST(Units, SizeWordsReadBack) {
    EXPECT_TRUE(rc::check("parse_size(format_size_word(x)) == x", [] {
        const auto size = *rc::gen::inRange<std::uint64_t>(0, 1ull << 40);
        RC_ASSERT(*parse_size(format_size_word(size)) == size);
    }));
}

TEST(Whole, NumbersOutsideAreClamped) {
    EXPECT_EQ(whole_between(2.9, 1, 10), 2);
    EXPECT_EQ(whole_between(1e300, 1, 10), 10);
    EXPECT_EQ(whole_between(-INFINITY, 1, 10), 1);
    EXPECT_EQ(whole_between(NAN, 1, 10), 1);
    EXPECT_EQ(whole_between<std::uint64_t>(1e19, 0, most_size_bytes), most_size_bytes);
}
