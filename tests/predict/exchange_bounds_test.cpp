// SPDX-License-Identifier: BSD-3-Clause
// The claims of SMT07 on digraphs: known cases, and their order on any.
#include "predict/bounds/digraph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "digraphs.hpp"

namespace alltold {
namespace {

constexpr Hockney bounded{1e-4, 1e-8};

TEST(ExchangeBounds, total_exchange_gives_proposition_1) {
    for (int n = 1; n <= 33; ++n) {
        const auto bounds = exchange_bounds(uniform(n, 5000), bounded);
        const double expected_s = (n - 1) * (1e-4 + 1e-8 * 5000);
        EXPECT_EQ(bounds.startups, n - 1);
        EXPECT_NEAR(bounds.total_s, expected_s, 1e-12);
        EXPECT_NEAR(bounds.total_any_s, expected_s, 1e-12);
        EXPECT_NEAR(bounds.bandwidth_s, (n - 1) * 5e-5, 1e-12);
    }
}

TEST(ExchangeBounds, maxima_of_two_processes_do_not_add_up_without_synchronous_sends) {
    MessageDigraph messages(5);
    for (int to = 1; to < 4; ++to)
        messages.add({0, to, 1}); // process 0 sends most often,
    messages.add({4, 1, 1e6});    // process 4 sends most bytes
    const auto bounds = exchange_bounds(messages, bounded);
    EXPECT_EQ(bounds.startups, 3);
    EXPECT_DOUBLE_EQ(bounds.bandwidth_s, (1e6 + 1) * 1e-8); // what process 1 receives
    EXPECT_DOUBLE_EQ(bounds.total_s, 3e-4 + (1e6 + 1) * 1e-8);
    EXPECT_DOUBLE_EQ(bounds.total_any_s, 2e-4 + (1e6 + 1) * 1e-8);
}

TEST(ExchangeBounds, are_ordered) {
    EXPECT_TRUE(rc::check([] {
        const int n = *rc::gen::inRange(1, 12);
        MessageDigraph messages(n);
        for (int from = 0; from < n; ++from)
            for (int to = 0; to < n; ++to)
                if (from != to && *rc::gen::arbitrary<bool>())
                    messages.add({from, to, static_cast<double>(*rc::gen::inRange(0, 100000))});
        const auto bounds = exchange_bounds(messages, bounded);
        const double rounding = 1 + 1e-12;
        RC_ASSERT(bounds.bandwidth_s <= bounds.total_any_s * rounding);
        RC_ASSERT(bounds.startups * bounded.alpha_s <= bounds.total_any_s * rounding);
        RC_ASSERT(bounds.total_any_s <= bounds.total_s * rounding);
    }));
}

} // namespace
} // namespace alltold
