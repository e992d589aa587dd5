// SPDX-License-Identifier: BSD-3-Clause
// The search for the largest size with a property, when quick questions may miss it.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "campaign/probes/shared/limit_search.hpp"
#include "core/random.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

constexpr std::uint64_t largest = 4 << 20;

bool is_limit(std::uint64_t found, std::uint64_t limit) {
    return found <= limit && limit - found < limit_resolution(found);
}

TEST(LimitSearch, IsToTheByteUpTo64KiB) {
    for (const std::uint64_t bytes : {1, 1000, 65536})
        EXPECT_EQ(limit_resolution(bytes), 1U);
    EXPECT_EQ(limit_resolution(640000), 10000U);
}

TEST(LimitSearch, FindsTheLimit) {
    EXPECT_TRUE(rc::check([] {
        const auto limit = *rc::gen::inRange<std::uint64_t>(0, largest + 1);
        int questions = 0;
        const auto found = largest_that_holds(
            [&](std::uint64_t size_bytes, bool) -> Result<bool> {
                RC_ASSERT(size_bytes >= 1 && size_bytes <= largest);
                ++questions;
                return size_bytes <= limit;
            },
            largest);
        RC_ASSERT(found && is_limit(*found, limit));
        RC_ASSERT(questions <= 36);
    }));
}

TEST(LimitSearch, SurvivesQuickQuestionsThatMissIt) {
    EXPECT_TRUE(rc::check([] {
        const auto limit = *rc::gen::inRange<std::uint64_t>(0, largest + 1);
        Random random(*rc::gen::arbitrary<std::uint64_t>());
        const auto found = largest_that_holds(
            [&](std::uint64_t size_bytes, bool thorough) -> Result<bool> {
                return size_bytes <= limit && (thorough || random.uniform() > 0.2);
            },
            largest, *rc::gen::inRange<std::uint64_t>(0, largest + 1));
        RC_ASSERT(found && is_limit(*found, limit));
    }));
}

TEST(LimitSearch, ConfirmsAGuessInTwoQuestions) {
    for (const std::uint64_t limit : {1ULL, 65480ULL, 1ULL * largest}) {
        int questions = 0;
        const auto found = largest_that_holds(
            [&](std::uint64_t size_bytes, bool) -> Result<bool> {
                ++questions;
                return size_bytes <= limit;
            },
            largest, limit);
        EXPECT_TRUE(found && *found == limit);
        EXPECT_EQ(questions, limit == largest ? 1 : 2);
    }
}

TEST(LimitSearch, FailsAsItsQuestionsDo) {
    EXPECT_FALSE(largest_that_holds(
        [](std::uint64_t, bool) -> Result<bool> { return bad_input("no answer"); }, largest));
}

} // namespace
