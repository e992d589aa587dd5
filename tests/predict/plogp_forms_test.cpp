// SPDX-License-Identifier: BSD-3-Clause
// BM04's tables against times worked by hand.
#include <gtest/gtest.h>

#include "network/plogp/alltoall_bounds.hpp"
#include "network/plogp/plogp_ends.hpp"
#include "network/rounds.hpp"
#include "network/signature/signature.hpp"
#include "predict/forms/data_movement_forms.hpp"

namespace alltold {
namespace {

// L = 7, g(m) = 2 + m: g(1) = 3, g(3) = 5, g(4) = 6, g(8) = 10, g(12) = 14, g(16) = 18, g(20) = 22;
// o_s = 2, o_r = 4.
const PLogP by_plogp{Estimate::exact(7), SizeCurve::line(2, 1), SizeCurve({{0, 2}}),
                     SizeCurve({{0, 4}})};
/// The same with a latency of 1.
const PLogP close_by{Estimate::exact(1), SizeCurve::line(2, 1), {}, {}};

TEST(Bcast, six_processes_8_bytes_segments_of_4) {
    EXPECT_DOUBLE_EQ(bcast::flat_s(by_plogp, {6, 8}), 57);                  // 5*10 + 7
    EXPECT_DOUBLE_EQ(bcast::flat_rendezvous_s(by_plogp, {6, 8}), 77);       // 50 + 2*3 + 3*7
    EXPECT_DOUBLE_EQ(bcast::flat_segmented_s(by_plogp, {6, 8, 4}), 67);     // 5*(6*2) + 7
    EXPECT_DOUBLE_EQ(bcast::chain_s(by_plogp, {6, 8}), 85);                 // 5*(10 + 7)
    EXPECT_DOUBLE_EQ(bcast::chain_rendezvous_s(by_plogp, {6, 8}), 185);     // 5*(10 + 6 + 21)
    EXPECT_DOUBLE_EQ(bcast::chain_segmented_s(by_plogp, {6, 8, 4}), 71);    // 5*(6 + 7) + 6
    EXPECT_DOUBLE_EQ(bcast::binomial_s(by_plogp, {6, 8}), 41);              // 2*10 + 3*7
    EXPECT_DOUBLE_EQ(bcast::binomial_rendezvous_s(by_plogp, {6, 8}), 101);  // 2*10 + 3*(6 + 21)
    EXPECT_DOUBLE_EQ(bcast::binomial_segmented_s(by_plogp, {6, 8, 4}), 45); // 2*6*2 + 3*7
}

TEST(Bcast, the_last_segment_may_be_smaller) {
    // 8 bytes by 3: parts of 3, 3, 2 bytes leave the root at 0, 5, 10; the last has left at 14.
    EXPECT_DOUBLE_EQ(bcast::chain_segmented_s(by_plogp, {2, 8, 3}), 21);
    // Three ranks: part 2 is at rank 1 at 21, behind part 1, which rank 1 sends from 17 to 22;
    // it leaves from 22 to 26 and is there at 33.
    EXPECT_DOUBLE_EQ(bcast::chain_segmented_s(by_plogp, {3, 8, 3}), 33);
    EXPECT_DOUBLE_EQ(bcast::flat_segmented_s(by_plogp, {6, 8, 3}), 77);     // 5*(5 + 5 + 4) + 7
    EXPECT_DOUBLE_EQ(bcast::binomial_segmented_s(by_plogp, {6, 8, 3}), 49); // 2*14 + 3*7
}

TEST(Bcast, our_schedules_step_by_step) {
    // Binary, places 0 to 5: 1 at 17, 2 at 27, 3 at 34, 4 at 44, 5 at 27 + 17 = 44.
    EXPECT_DOUBLE_EQ(bcast::binary_exact_s(by_plogp, {6, 8}), 44);
    // Binary, 4 places, L = 1: 1 at 11, 2 at 21, 3 at 22. With g large: 2 at 2g + L is never last.
    EXPECT_DOUBLE_EQ(bcast::binary_exact_s(close_by, {4, 8}), 22);
    // Binary, 8 places, L = 1: 6 (right, right) at 2*21 = 42; 7 (left three times) at 33.
    EXPECT_DOUBLE_EQ(bcast::binary_exact_s(close_by, {8, 8}), 42);
    // Binomial, 6 places: 4 at 17, 2 at 27, 1 at 37, 5 at 34, 3 at 44.
    EXPECT_DOUBLE_EQ(bcast::binomial_exact_s(by_plogp, {6, 8}), 44);
    // With rendezvous every hop takes 20 more: 4 at 37, 2 at 47, 1 at 57, 5 at 74, 3 at 84.
    EXPECT_DOUBLE_EQ(bcast::binomial_rendezvous_exact_s(by_plogp, {6, 8}), 84);
    // L = 1: the root asks its 3 children until 9, later than 2*3 + 2*1 = 8: 4 at 20, 2 at 30,
    // 1 at 40; 4 and 2 have one child and wait 8: 5 at 39, 3 at 49.
    EXPECT_DOUBLE_EQ(bcast::binomial_rendezvous_exact_s(close_by, {6, 8}), 49);
    // Flat, L = 1: asking takes until 15, then 5 messages and 1.
    EXPECT_DOUBLE_EQ(bcast::flat_rendezvous_exact_s(close_by, {6, 8}), 66);
    EXPECT_DOUBLE_EQ(bcast::flat_rendezvous_exact_s(by_plogp, {6, 8}), 77);
}

TEST(Scatter, six_processes_4_bytes) {
    EXPECT_DOUBLE_EQ(scatter::flat_s(by_plogp, {6, 4}), 37);     // 5*6 + 7
    EXPECT_DOUBLE_EQ(scatter::chain_s(by_plogp, {6, 4}), 105);   // 6 + 10 + 14 + 18 + 22 + 5*7
    EXPECT_DOUBLE_EQ(scatter::binomial_s(by_plogp, {6, 4}), 55); // 6 + 10 + 18 + 3*7
    // Two blocks to 4 leave until 10, two to 2 until 20, one to 1 until 26: 4 at 17, 5 at 30, 2 at
    // 27, 3 at 40, 1 at 33.
    EXPECT_DOUBLE_EQ(scatter::binomial_exact_s(by_plogp, {6, 4}), 40);
    EXPECT_DOUBLE_EQ(scatter::binomial_exact_s(by_plogp, {8, 4}), 55);
}

TEST(Gather, mirrors_scatter_and_takes_turns) {
    EXPECT_DOUBLE_EQ(gather::flat_s(by_plogp, {6, 4}), 37);
    EXPECT_DOUBLE_EQ(gather::chain_s(by_plogp, {6, 4}), 105);
    EXPECT_DOUBLE_EQ(gather::binomial_s(by_plogp, {6, 4}), 55);
    // 8 bytes, 2 at a time: the root has blocks at 17 and 27; the next two are let go at 17 and 27,
    // hear of it at 27 and 37 and are there at 44 and 54, the fifth at 71.
    EXPECT_DOUBLE_EQ(gather::windowed_s(by_plogp, {6, 8, 0, 2}), 71);
    EXPECT_DOUBLE_EQ(gather::windowed_s(by_plogp, {6, 8, 0, 0}), 57); // 7 + 5*10
    EXPECT_DOUBLE_EQ(gather::windowed_s(by_plogp, {6, 8, 0, 9}), 57);
}

TEST(Alltoall, five_processes_8_bytes) {
    EXPECT_DOUBLE_EQ(alltoall::upper_s(by_plogp, 5, 8), 63); // 4*(10 + 4) + 7
    EXPECT_DOUBLE_EQ(alltoall::lower_s(by_plogp, 5, 8), 31); // 4*(2 + 4) + 7
    EXPECT_DOUBLE_EQ(alltoall::between_s(by_plogp, 5, 8, 0.4), 43.8);
    EXPECT_DOUBLE_EQ(alltoall::direct_s(by_plogp, {5, 8}), 77);   // 7*10 + 7
    EXPECT_DOUBLE_EQ(alltoall::rotated_s(by_plogp, {5, 8}), 47);  // 4*10 + 7
    EXPECT_DOUBLE_EQ(alltoall::pairwise_s(by_plogp, {5, 8}), 68); // 4*(10 + 7)
    // 4 bytes: distances 1, 3, then 2, 3, then 4: 2, 2, 1 blocks, 10 + 10 + 6 + 3*7.
    EXPECT_DOUBLE_EQ(alltoall::bruck_s(by_plogp, {5, 4}), 47);
    // 7 ranks: 1 3 5, 2 3 6, 4 5 6: 3 blocks each, 3*(14 + 7).
    EXPECT_DOUBLE_EQ(alltoall::bruck_s(by_plogp, {7, 4}), 63);
}

TEST(Forms, one_process_has_nothing_to_do) {
    for (const auto form : {bcast::flat_s,
                            bcast::flat_rendezvous_s,
                            bcast::chain_s,
                            bcast::chain_rendezvous_s,
                            bcast::binomial_s,
                            bcast::binomial_rendezvous_s,
                            bcast::flat_rendezvous_exact_s,
                            bcast::binary_exact_s,
                            bcast::binomial_exact_s,
                            bcast::binomial_rendezvous_exact_s,
                            scatter::flat_s,
                            scatter::chain_s,
                            scatter::binomial_s,
                            scatter::binomial_exact_s,
                            gather::flat_s,
                            gather::chain_s,
                            gather::binomial_s,
                            alltoall::direct_s,
                            alltoall::rotated_s,
                            alltoall::pairwise_s})
        EXPECT_EQ(form(by_plogp, {1, 8}), 0);
    EXPECT_EQ(alltoall::upper_s(by_plogp, 1, 8), 0);
    EXPECT_EQ(alltoall::lower_s(by_plogp, 1, 8), 0);
    EXPECT_EQ(alltoall::bruck_s(by_plogp, {1, 8}), 0);
    EXPECT_EQ(bcast::flat_segmented_s(by_plogp, {1, 8, 4}), 0);
    EXPECT_EQ(bcast::chain_segmented_s(by_plogp, {1, 8, 4}), 0);
    EXPECT_EQ(bcast::binomial_segmented_s(by_plogp, {1, 8, 4}), 0);
    EXPECT_EQ(gather::windowed_s(by_plogp, {1, 8, 0, 2}), 0);
}

TEST(Forms, hockney_is_a_plogp) {
    // alpha = 50 us, beta = 8 ns: 1000 bytes take 58 us, and five processes 4 times as long.
    const Hockney hockney{50e-6, 8e-9};
    const auto plogp = plogp_of(hockney);
    EXPECT_DOUBLE_EQ(plogp.L_s.value + plogp.g_s(1000), 58e-6);
    EXPECT_DOUBLE_EQ(alltoall::rotated_s(plogp, {5, 1000}), 232e-6);
    for (const double m : {0.0, 1.0, 1e3, 1e6, 1e9, 1e11}) {
        EXPECT_DOUBLE_EQ(plogp.g_s(m), hockney.time_s(m));
        for (const double gamma : {0.0, 0.4, 1.0})
            EXPECT_DOUBLE_EQ(alltoall::between_s(plogp, 24, m, gamma),
                             linear_time_s(hockney, 24, m));
    }
}

TEST(Rounds, logarithms_and_segments) {
    const int up[] = {0, 1, 2, 2, 3, 3, 3, 3, 4}, down[] = {0, 1, 1, 2, 2, 2, 2, 3, 3};
    for (int n = 1; n <= 9; ++n) {
        EXPECT_EQ(log2_up(n), up[n - 1]) << n;
        EXPECT_EQ(log2_down(n), down[n - 1]) << n;
    }
    const auto parts = SegmentSizes::of(10, 4); // 4 + 3 + 3
    EXPECT_EQ(parts.count, 3);
    EXPECT_EQ(parts.larger, 1);
    EXPECT_EQ(parts.larger_bytes, 4);
    EXPECT_EQ(SegmentSizes::of(9, 4).larger_bytes, 3);
    EXPECT_EQ(SegmentSizes::of(8, 4).larger, 2);
    EXPECT_EQ(SegmentSizes::of(8, 0).count, 1);
    EXPECT_EQ(SegmentSizes::of(8, 9).larger_bytes, 8);
}

} // namespace
} // namespace alltold
