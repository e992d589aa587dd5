// SPDX-License-Identifier: BSD-3-Clause
// Errors stay one line of whole characters, whatever the input had in it.
#include "core/text.hpp"

#include <gtest/gtest.h>

namespace alltold {
namespace {

TEST(OneLine, keeps_what_fits) {
    EXPECT_EQ(one_line("net.json: missing"), "net.json: missing");
    EXPECT_EQ(one_line(std::string(285, 'x')), std::string(285, 'x'));
}

TEST(OneLine, has_no_line_breaks) {
    EXPECT_EQ(one_line("a\nb\tc\x7f"), "a b c ");
}

TEST(OneLine, has_nothing_that_a_terminal_obeys) {
    const std::string instead = "\xef\xbf\xbd"; // U+FFFD
    EXPECT_EQ(one_line("a\xc2\x9b"
                       "31mb"),
              "a" + instead + "31mb");
    for (const std::string bidi : {"\xe2\x80\xae", "\xe2\x81\xa7", "\xd8\x9c", "\xe2\x80\xa8"})
        EXPECT_EQ(one_line("a" + bidi + "b"), "a" + instead + "b");
    for (const std::string good : {"\xc2\xbd", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
        EXPECT_EQ(one_line(good), good);
}

TEST(OneLine, escapes_bytes_that_are_no_text) {
    EXPECT_EQ(one_line("a\xff.json"), "a\\xff.json");
    EXPECT_EQ(one_line("\x80\xc3.\xc0"), "\\x80\\xc3.\\xc0");
    EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
}

TEST(OneLine, keeps_the_name_and_the_reason) {
    const auto line = one_line(std::string(5000, 'x') + ": no such file");
    EXPECT_EQ(line.size(), 285U);
    EXPECT_TRUE(line.ends_with("x: no such file"));
}

TEST(OneLine, cuts_between_characters) {
    EXPECT_EQ(one_line(std::string(300, 'x')),
              std::string(182, 'x') + "..." + std::string(100, 'x'));
    // U+00BD has two bytes, U+20AC three and U+1F600 four.
    for (const std::string character : {"\xc2\xbd", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
        for (std::size_t before = 0; before < character.size(); ++before) {
            std::string text(before, 'x');
            while (text.size() < 300)
                text += character;
            const auto line = one_line(text);
            const auto cut = line.find("...");
            ASSERT_NE(cut, line.npos);
            EXPECT_EQ((cut - before) % character.size(), 0U) << line;
            EXPECT_EQ((line.size() - cut - 3) % character.size(), 0U) << line;
            EXPECT_EQ(plain_text(line), line);
            EXPECT_LE(line.size(), 285U);
        }
}

TEST(OneLine, keeps_most_of_what_is_no_text) {
    EXPECT_GE(one_line(std::string(300, '\x80')).size(), 280U);
}

} // namespace
} // namespace alltold
