// SPDX-License-Identifier: BSD-3-Clause
// Forms of reductions, scans and barriers against times worked by hand.
#include <gtest/gtest.h>

#include "predict/forms/data_movement_forms.hpp"
#include "predict/forms/fan_in.hpp"
#include "predict/forms/reduction_forms.hpp"

namespace alltold {
namespace {

// L = 7, g(m) = 2 + m: g(1) = 3, g(2) = 4, g(3) = 5, g(4) = 6, g(8) = 10.
const PLogP without_overhead{Estimate::exact(7), SizeCurve::line(2, 1), {}, {}};
/// Seconds per byte: 8 bytes are combined in 4 s, more quickly than they arrive, or in 16 s.
constexpr double quick = 0.5, slow = 2;

CallShape reduced(int n, double size_bytes, double combine_s_per_byte, double segment_bytes = 0,
                  int root = 0) {
    return {.n = n,
            .size_bytes = size_bytes,
            .segment_bytes = segment_bytes,
            .root = root,
            .combine_s_per_byte = combine_s_per_byte};
}

TEST(FanIn, messages_are_taken_as_they_come_and_combined_in_order) {
    const FanInCost cost{7, 10, 4};
    EXPECT_DOUBLE_EQ(fan_in_s({}, cost), 0);
    EXPECT_DOUBLE_EQ(fan_in_s({{0, 1}}, cost), 21);         // 7 + 10 + 4
    EXPECT_DOUBLE_EQ(fan_in_s({{0, 1}, {0, 2}}, cost), 31); // received at 17 and 27
    EXPECT_DOUBLE_EQ(fan_in_s({{0, 2}, {0, 1}}, cost), 35); // both combined from 27 on
    EXPECT_DOUBLE_EQ(fan_in_s({{0, 1}, {50, 2}}, cost), 71);
    EXPECT_DOUBLE_EQ(fan_in_s({{50, 1}, {0, 2}}, cost), 75);
}

TEST(Reduce, six_processes_8_bytes) {
    EXPECT_DOUBLE_EQ(reduce::flat_s(without_overhead, reduced(6, 8, quick, 0, 0)),
                     61); // 7 + 5*10 + 4
    EXPECT_DOUBLE_EQ(reduce::flat_s(without_overhead, reduced(6, 8, slow, 0, 0)),
                     97); // 7 + 10 + 5*16
    // The root's port has 0 and 1 at 27; 3, 4 and 5 are there, and combined, at 41, 51 and 61, then
    // 1 and 0.
    EXPECT_DOUBLE_EQ(reduce::flat_s(without_overhead, reduced(6, 8, quick, 0, 2)), 69);
    EXPECT_DOUBLE_EQ(reduce::flat_s(without_overhead, reduced(6, 8, quick, 0, 5)), 77); // 57 + 5*4
    EXPECT_DOUBLE_EQ(reduce::binomial_s(without_overhead, reduced(6, 8, quick)), 63);
    // 0 has 1 at 17, combined until 21; 2, received at 27, until 31. 3 has the same of 4 and 5; it
    // is received at 48, combined at 52.
    EXPECT_DOUBLE_EQ(reduce::binomial_exact_s(without_overhead, reduced(6, 8, quick, 0, 0)), 52);
    EXPECT_DOUBLE_EQ(reduce::binomial_exact_s(without_overhead, reduced(8, 8, quick, 0, 5)), 63);
    // 4 and 2 bytes: 13 + 2, 11 + 1; gathered in 11 and 13.
    EXPECT_DOUBLE_EQ(reduce::rabenseifner_s(without_overhead, reduced(4, 8, quick)), 51);
}

TEST(Reduce, segments_of_4) {
    // Each hop 7 + 6 + 2; the second segment is combined 6 later.
    EXPECT_DOUBLE_EQ(reduce::chain_segmented_s(without_overhead, reduced(6, 8, quick, 4)), 81);
    EXPECT_DOUBLE_EQ(reduce::chain_segmented_s(without_overhead, reduced(6, 8, slow, 4)),
                     113); // 5*21 + 8
    // 3 + 3 + 2 bytes: 5, 5, 4 received, the last one combined in 1.
    EXPECT_DOUBLE_EQ(reduce::chain_segmented_s(without_overhead, reduced(2, 8, quick, 3)), 22);
    // The root in the middle of three: received at 13 (0) and 19 (2), which is combined first.
    EXPECT_DOUBLE_EQ(reduce::binary_segmented_s(without_overhead, reduced(3, 4, quick, 4, 1)), 23);
    EXPECT_DOUBLE_EQ(reduce::binary_segmented_s(without_overhead, reduced(3, 8, quick, 4, 1)), 35);
    EXPECT_DOUBLE_EQ(reduce::circulant_s(without_overhead, reduced(8, 4, quick, 4)),
                     45); // 3*(7 + 6 + 2)
}

TEST(Allreduce, eight_bytes) {
    EXPECT_DOUBLE_EQ(allreduce::flat_s(without_overhead, reduced(6, 8, quick)),
                     118); // 61 + 5*10 + 7
    EXPECT_DOUBLE_EQ(allreduce::recursive_doubling_s(without_overhead, reduced(8, 8, quick)), 63);
    EXPECT_DOUBLE_EQ(allreduce::recursive_doubling_s(without_overhead, reduced(6, 8, quick)),
                     80); // 3*21 + 17
    // 4 and 2 bytes there: 13 + 2, 11 + 1; back: 11, 13.
    EXPECT_DOUBLE_EQ(allreduce::rabenseifner_s(without_overhead, reduced(4, 8, quick)), 51);
    EXPECT_DOUBLE_EQ(allreduce::circulant_s(without_overhead, reduced(4, 8, quick)), 51);
    // Blocks of 2 bytes: 11 + 1 there, three times, 11 back.
    EXPECT_DOUBLE_EQ(allreduce::ring_s(without_overhead, reduced(4, 8, quick)), 69);
    // Blocks of 8 in two segments, to the other rank and back: 6 + 6 out, 2 combined; back the
    // first segment would leave at 15, after both have left, the second at 21.
    EXPECT_DOUBLE_EQ(allreduce::ring_s(without_overhead, reduced(2, 16, quick, 4)), 34);
    EXPECT_DOUBLE_EQ(allreduce::chain_segmented_s(without_overhead, reduced(3, 4, quick)),
                     56); // 2*(15 + 13)
    EXPECT_DOUBLE_EQ(allreduce::chain_segmented_s(without_overhead, reduced(3, 8, quick, 4)), 62);
    // Ten segments: rank 1 sends from 15 on, ten down and ten up.
    EXPECT_DOUBLE_EQ(allreduce::chain_segmented_s(without_overhead, reduced(3, 40, quick, 4)), 142);
}

TEST(ReduceScatter, blocks_of_2_bytes) {
    // 4 and 2 bytes: 13 + 2, 11 + 1.
    EXPECT_DOUBLE_EQ(reduce_scatter::halving_s(without_overhead, reduced(4, 2, quick)), 27);
    // One of three ranks receives one block from each of two: 7 + 2*(4 + 1); then 11 + 1.
    EXPECT_DOUBLE_EQ(reduce_scatter::halving_s(without_overhead, reduced(3, 2, quick)), 29);
    // 6 ranks: 3, 1, 1 blocks.
    EXPECT_DOUBLE_EQ(reduce_scatter::circulant_s(without_overhead, reduced(6, 2, quick)),
                     42); // 18 + 12 + 12
    EXPECT_DOUBLE_EQ(reduce_scatter::pairwise_s(without_overhead, reduced(6, 2, quick)),
                     57); // 5*11 + 2*1
    EXPECT_DOUBLE_EQ(reduce_scatter::pairwise_s(without_overhead, reduced(6, 2, 20)),
                     222); // 2*11 + 5*40
    EXPECT_DOUBLE_EQ(reduce_scatter::pairwise_s(without_overhead, reduced(2, 2, quick)), 12);
    EXPECT_DOUBLE_EQ(reduce_scatter::pairwise_bound_s(without_overhead, reduced(6, 2, quick)), 60);
    EXPECT_DOUBLE_EQ(reduce_scatter::ring_s(without_overhead, reduced(6, 2, quick)), 60);
    // Four segments of 4: 24 a pass at a port, 15 to the next rank.
    EXPECT_DOUBLE_EQ(reduce_scatter::ring_s(without_overhead, reduced(6, 16, quick, 4)),
                     129); // 5*24 + 7 + 2
    EXPECT_DOUBLE_EQ(reduce_scatter::ring_s(without_overhead, reduced(6, 16, slow, 4)),
                     173); // 13 + 5*32
}

TEST(Scan, rounds_and_chains) {
    EXPECT_DOUBLE_EQ(scan::recursive_doubling_s(without_overhead, reduced(6, 8, quick)), 63);
    EXPECT_DOUBLE_EQ(exscan::recursive_doubling_s(without_overhead, reduced(2, 8, quick)), 17);
    EXPECT_DOUBLE_EQ(exscan::recursive_doubling_s(without_overhead, reduced(4, 8, quick)), 42);
    EXPECT_DOUBLE_EQ(exscan::recursive_doubling_s(without_overhead, reduced(7, 8, quick)),
                     63); // distances 1, 2, 3
    EXPECT_DOUBLE_EQ(exscan::chain_segmented_s(without_overhead, reduced(2, 8, quick, 4)), 19);
    EXPECT_DOUBLE_EQ(exscan::chain_segmented_s(without_overhead, reduced(6, 8, quick, 4)),
                     79); // 5*13 + 4*2 + 6
    EXPECT_DOUBLE_EQ(exscan::chain_segmented_s(without_overhead, reduced(6, 8, slow, 4)),
                     105); // 5*13 + 4*8 + 8
}

TEST(Barrier, six_processes) {
    EXPECT_DOUBLE_EQ(barrier::flat_s(without_overhead, {6}), 44); // 2*(5*3 + 7)
    // Up: 0 hears 1 and 2's leaf 3 at the same time: 10; 4, which has heard 5, is heard at 20, 2 at
    // 23. Down: 3*3 + 2*7.
    EXPECT_DOUBLE_EQ(barrier::binomial_s(without_overhead, {6}), 46);
    EXPECT_DOUBLE_EQ(barrier::binomial_s(without_overhead, {8}), 60);
    EXPECT_DOUBLE_EQ(barrier::dissemination_s(without_overhead, {6}), 30);
    EXPECT_DOUBLE_EQ(barrier::recursive_doubling_s(without_overhead, {8}), 30);
    EXPECT_DOUBLE_EQ(barrier::recursive_doubling_s(without_overhead, {6}), 40);
}

TEST(ReductionForms, one_process_has_nothing_to_do) {
    for (const auto form :
         {reduce::binomial_s, reduce::rabenseifner_s, allreduce::flat_s,
          allreduce::recursive_doubling_s, allreduce::rabenseifner_s, allreduce::circulant_s,
          reduce_scatter::halving_s, reduce_scatter::circulant_s, reduce_scatter::pairwise_s,
          reduce_scatter::pairwise_bound_s, scan::recursive_doubling_s,
          exscan::recursive_doubling_s})
        EXPECT_EQ(form(without_overhead, reduced(1, 8, quick)), 0);
    for (const auto form :
         {reduce::chain_segmented_s, reduce::circulant_s, allreduce::ring_s,
          allreduce::chain_segmented_s, reduce_scatter::ring_s, exscan::chain_segmented_s})
        EXPECT_EQ(form(without_overhead, reduced(1, 8, quick, 4)), 0);
    EXPECT_EQ(reduce::flat_s(without_overhead, reduced(1, 8, quick, 0, 0)), 0);
    EXPECT_EQ(reduce::binomial_exact_s(without_overhead, reduced(1, 8, quick, 0, 0)), 0);
    EXPECT_EQ(reduce::binary_segmented_s(without_overhead, reduced(1, 8, quick, 4, 0)), 0);
    for (const auto form : {barrier::flat_s, barrier::binomial_s, barrier::dissemination_s,
                            barrier::recursive_doubling_s})
        EXPECT_EQ(form(without_overhead, {1}), 0);
}

} // namespace
} // namespace alltold
