// SPDX-License-Identifier: BSD-3-Clause
// Expectations about what lint() finds.
#pragma once

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rulefile/lint.hpp"

namespace alltold::rulefile::test {

struct Expected {
    int line;
    std::string what; ///< a part of it
};

/// What lint() finds, a line each.
std::string found_in(const std::string& text, const std::string& target);

/// Exactly one finding, with something that would be right.
void expect_finding(const std::string& text, const Expected& expected,
                    const std::string& target = "openmpi");
void expect_clean(const std::string& text, const std::string& target);

} // namespace alltold::rulefile::test
