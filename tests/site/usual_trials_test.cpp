// SPDX-License-Identifier: BSD-3-Clause
// The trials of networks without a study are rules, and run nothing before blocks have shown a
// gain.
#include "site/usual_trials.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "predict/rules/rule.hpp"

namespace alltold::site {
namespace {

TEST(UsualTrials, are_trials_only) {
    const auto rules = parse_rules(usual_trials, "usual trials");
    ASSERT_TRUE(rules) << rules.error().message;
    for (const auto& rule : *rules) {
        EXPECT_TRUE(rule.choice.is_default());
        EXPECT_FALSE(rule.others.empty());
        EXPECT_TRUE(std::ranges::all_of(rule.others,
                                        [](const auto& candidate) { return candidate.trial; }));
    }
}

} // namespace
} // namespace alltold::site
