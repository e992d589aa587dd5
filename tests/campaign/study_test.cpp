// SPDX-License-Identifier: BSD-3-Clause
// A study that ends too early says what is not known, and exits accordingly.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../lab/run.hpp"
#include "../scratch.hpp"

namespace alltold {
namespace {

lab_tests::Ran study(const std::string& words) {
    return lab_tests::run_shell(fmt::format("timeout 60 {} 2 {} study --clusters 2 {} 2>/dev/null",
                                            LAUNCH, ALLTOLD_BINARY, words));
}

TEST(ShortStudy, EndsWithOneAndSaysWhatIsNotKnown) {
    const test::Scratch scratch;
    const auto ran = study("--budget 100ms --keep " + (scratch / "text").string());
    EXPECT_EQ(ran.status, 1) << ran.out;
    EXPECT_THAT(ran.out, testing::HasSubstr("warning: not measured well enough: "));
}

TEST(ShortStudy, SaysTheSameInJson) {
    const test::Scratch scratch;
    const auto ran = study("--budget 100ms --json --keep " + (scratch / "json").string());
    EXPECT_EQ(ran.status, 1) << ran.out;
    const auto answer =
        nlohmann::json::parse(ran.out.substr(std::min(ran.out.find('{'), ran.out.size())));
    EXPECT_FALSE(answer["unknown"].empty());
    EXPECT_EQ(answer["precision"]["asked"], 0.1);
    EXPECT_LE(answer["precision"]["as_asked"], answer["precision"]["predictions"]);
}

} // namespace
} // namespace alltold
