// SPDX-License-Identifier: BSD-3-Clause
// The papers' closed forms against numbers worked by hand, and against each other.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "network/signature/signature.hpp"
#include "network/smt.hpp"

using namespace alltold;

namespace {
constexpr Hockney by_hockney{50e-6, 8e-9}; // 1000 bytes take 58 us
}

TEST(Formulas, HandWorked) {
    EXPECT_DOUBLE_EQ(by_hockney.time_s(1000), 58e-6);
    EXPECT_DOUBLE_EQ(linear_time_s(by_hockney, 5, 1000), 232e-6);
    EXPECT_DOUBLE_EQ(clement_time_s(by_hockney, 5, 1000), 90e-6);
    EXPECT_DOUBLE_EQ(contention_ratio_time_s(by_hockney, 2.5, 5, 1000), 280e-6);
    EXPECT_DOUBLE_EQ(slowdown_time_s(by_hockney, 1.5, 5, 1000), 348e-6);
    EXPECT_DOUBLE_EQ(plain_time_s(3e-3, Clusters({4, 6}), {5e-3, 1e-8}, 1e5), 39e-3);
    // Two steps of 4 blocks: 5 ms + 4 ms each.
    EXPECT_DOUBLE_EQ(lg_time_s(3e-3, Clusters({4, 6}), {5e-3, 1e-8}, 1e5), 21e-3);
    EXPECT_DOUBLE_EQ(lg_time_s(3e-3, Clusters({6, 4}), {5e-3, 1e-8}, 1e5), 21e-3);
    // Ranks of 4 send to 6 + 8 others; those of 8 take 2 steps of 4 blocks and 2 of 6.
    EXPECT_DOUBLE_EQ(plain_time_s(3e-3, Clusters({4, 6, 8}), {5e-3, 1e-8}, 1e5), 87e-3);
    EXPECT_DOUBLE_EQ(lg_time_s(3e-3, Clusters({4, 6, 8}), {5e-3, 1e-8}, 1e5), 43e-3);
    EXPECT_DOUBLE_EQ(plain_time_s(3e-3, Clusters({4}), {5e-3, 1e-8}, 1e5), 3e-3);
}

TEST(Formulas, SignaturePaysDeltaFromItsThreshold) {
    const Signature signature{2.5, 1e-3, 1000};
    EXPECT_DOUBLE_EQ(alltoall_time_s(by_hockney, signature, 5, 999), 4 * (50e-6 + 999 * 20e-9));
    EXPECT_DOUBLE_EQ(alltoall_time_s(by_hockney, signature, 5, 1000), 4 * 1070e-6);
}

TEST(Formulas, WavesRoundUp) {
    EXPECT_DOUBLE_EQ(waves_time_s(by_hockney, 6, 5, 1000), 4 * 58e-6); // 20 messages
    EXPECT_DOUBLE_EQ(waves_time_s(by_hockney, 5, 5, 1000), 4 * 58e-6);
    EXPECT_EQ(waves_time_s(by_hockney, 6, 1, 1000), 0);
}

TEST(Formulas, MeetWhereThereIsNoContention) {
    EXPECT_TRUE(rc::check("equations 1, 4, 5, waves and slow-down agree", [] {
        const Hockney h{*rc::gen::inRange(0, 1000) * 1e-6, *rc::gen::inRange(1, 1000) * 1e-10};
        const int n = *rc::gen::inRange(1, 33);
        const double m = *rc::gen::inRange(0, 1 << 22);
        const double expected = linear_time_s(h, n, m);
        const auto near = [&](double x) { return std::abs(x - expected) <= 1e-12 * expected; };
        RC_ASSERT(near(contention_ratio_time_s(h, 1, n, m)));
        RC_ASSERT(near(alltoall_time_s(h, {1, 0, 0}, n, m)));
        RC_ASSERT(near(waves_time_s(h, n, n, m)));
        RC_ASSERT(near(slowdown_time_s(h, 1, n, m)));
    }));
}

TEST(Formulas, SignatureOnlyEverAddsTime) {
    EXPECT_TRUE(rc::check("equation 5 >= 4 >= 1", [] {
        const Signature s{1 + *rc::gen::inRange(0, 500) * 0.01, *rc::gen::inRange(0, 100) * 1e-4,
                          static_cast<double>(*rc::gen::inRange(0, 1 << 20))};
        const int n = *rc::gen::inRange(1, 65);
        const double m = *rc::gen::inRange(0, 1 << 21);
        const double ratio = contention_ratio_time_s(by_hockney, s.gamma, n, m);
        RC_ASSERT(alltoall_time_s(by_hockney, s, n, m) >= ratio);
        RC_ASSERT(ratio >= linear_time_s(by_hockney, n, m));
    }));
}
