// SPDX-License-Identifier: BSD-3-Clause
// Expectations that show all findings when they fail.
#include "findings.hpp"

namespace alltold::rulefile::test {
namespace {

Lint lint_for(const std::string& text, const std::string& target) {
    const auto parsed = parse_target(target);
    EXPECT_TRUE(parsed) << target;
    const auto found = lint(text, *parsed);
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    return found ? *found : Lint{};
}

} // namespace

std::string found_in(const std::string& text, const std::string& target) {
    std::string all;
    for (const auto& [line, what, right] : lint_for(text, target).findings)
        all += fmt::format("{}: {} | {}\n", line, what, right);
    return all;
}

void expect_finding(const std::string& text, const Expected& expected, const std::string& target) {
    const auto lint = lint_for(text, target);
    ASSERT_EQ(lint.findings.size(), 1u) << text.substr(0, 2000) << found_in(text, target);
    const auto& finding = lint.findings.front();
    EXPECT_EQ(finding.line, expected.line) << finding.what;
    EXPECT_NE(finding.what.find(expected.what), std::string::npos) << finding.what;
    EXPECT_FALSE(finding.right.empty());
}

void expect_clean(const std::string& text, const std::string& target) {
    EXPECT_EQ(found_in(text, target), "") << text.substr(0, 2000);
}

} // namespace alltold::rulefile::test
