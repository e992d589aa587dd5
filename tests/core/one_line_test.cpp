// SPDX-License-Identifier: BSD-3-Clause
// Errors stay one line of whole characters, whatever the input had in it.
#include "core/one_line.hpp"

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

TEST(OneLine, cuts_between_characters) {
    EXPECT_EQ(one_line(std::string(300, 'x')), std::string(282, 'x') + "...");
    // U+00BD has two bytes, U+20AC three and U+1F600 four.
    for (const std::string character : {"\xc2\xbd", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
        for (std::size_t before = 0; before < character.size(); ++before) {
            std::string text(before, 'x');
            while (text.size() < 300)
                text += character;
            const auto line = one_line(text);
            const auto kept = line.size() - 3;
            EXPECT_TRUE(line.ends_with("..."));
            EXPECT_EQ((kept - before) % character.size(), 0U) << line;
            EXPECT_LE(line.size(), 285U);
        }
}

TEST(OneLine, keeps_most_of_what_is_no_text) {
    EXPECT_GE(one_line(std::string(300, '\x80')).size(), 280U);
}

} // namespace
} // namespace alltold
