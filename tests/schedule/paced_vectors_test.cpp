// SPDX-License-Identifier: BSD-3-Clause
// The paced all-to-all-v on lopsided matrices: proved, and signals only where nothing comes back.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {
namespace {

using Sizes = std::vector<std::uint64_t>;

std::vector<Schedule> paced(const Specification& specification, const Parameters& parameters) {
    return schedules_of(**find_algorithm("alltoall.paced"), specification, parameters);
}

/// Signals all ranks give together.
int signals(const Specification& specification, const Parameters& parameters) {
    int count = 0;
    for (const auto& schedule : paced(specification, parameters))
        count += static_cast<int>(
            std::ranges::count_if(schedule.operations(), [](const Operation& operation) {
                return operation.kind == Kind::signal;
            }));
    return count;
}

/// `size` from everyone to everyone, but `many` in row and column of rank 0 where asked for.
Specification lopsided(int n, std::uint64_t size, std::uint64_t many, bool row, bool column) {
    Sizes sizes(static_cast<std::size_t>(n * n), size);
    for (int i = 1; i < n; ++i) {
        if (row)
            sizes[static_cast<std::size_t>(i)] = many;
        if (column)
            sizes[static_cast<std::size_t>(i * n)] = many;
    }
    return Specification::alltoallv(n, sizes);
}

TEST(PacedVectors, AreProvedHoweverLopsided) {
    EXPECT_TRUE(rc::check([] {
        const auto parts =
            *rc::gen::container<std::vector<int>>(*rc::gen::inRange(1, 4), rc::gen::inRange(1, 5));
        const Clusters clusters(parts);
        const auto spec =
            lopsided(clusters.ranks(), *rc::gen::inRange(0, 40), *rc::gen::inRange(0, 400),
                     *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>());
        const Parameters parameters{.segment_bytes = *rc::gen::inRange<std::uint64_t>(1, 20),
                                    .window = *rc::gen::inRange(1, 5),
                                    .inter_cluster_window = *rc::gen::inRange(1, 5),
                                    .clusters = clusters};
        const auto fault = check(spec, paced(spec, parameters));
        RC_ASSERT(!fault);
    }));
}

TEST(PacedVectors, AskOnlyWhereNothingComesBack) {
    const Parameters parameters{.segment_bytes = 10, .window = 4};
    EXPECT_EQ(signals(lopsided(6, 50, 500, false, false), parameters), 0);
    EXPECT_EQ(signals(lopsided(6, 50, 500, true, true), parameters), 0);
    // Five blocks of 50 segments towards rank 0: two go at once, five more after the segments that
    // come.
    EXPECT_EQ(signals(lopsided(6, 50, 500, false, true), parameters), 5 * (50 - 2 - 5));
    EXPECT_EQ(signals(lopsided(6, 50, 500, true, false), parameters), 5 * (50 - 2 - 5));
}

/// Signals of rank 0 that wait for something that came in.
int held_back(const Specification& specification, const Parameters& parameters) {
    const auto schedule = paced(specification, parameters).front();
    int count = 0;
    for (int step = 0; step < schedule.size(); ++step)
        count += schedule[step].kind == Kind::signal && !schedule.after(step).empty();
    return count;
}

TEST(PacedVectors, HoldNothingBackWhereFewBlocksCome) {
    const auto to_rank_0 = [](int blocks) {
        Sizes sizes(36);
        for (int from = 6 - blocks; from < 6; ++from)
            sizes[static_cast<std::size_t>(6 * from)] = 500;
        return Specification::alltoallv(6, sizes);
    };
    // A window of 8 segments, four of them for each of two blocks.
    const Parameters alone{.segment_bytes = 10, .window = 8};
    EXPECT_EQ(held_back(to_rank_0(2), alone), 0);
    EXPECT_EQ(held_back(to_rank_0(3), alone), 3 * 50 - 8);
    // Beside other clusters the window is not all that a port holds.
    const Parameters large_windows{
        .segment_bytes = 10, .window = 2, .inter_cluster_window = 2, .clusters = Clusters({3, 3})};
    EXPECT_EQ(held_back(to_rank_0(2), large_windows), 0);
    EXPECT_GT(held_back(to_rank_0(3), large_windows), 0) << "three come from another cluster";
    Parameters larger = large_windows;
    larger.inter_cluster_window = 9;
    EXPECT_EQ(held_back(to_rank_0(4), larger), 0);
    EXPECT_GT(held_back(to_rank_0(5), larger), 0) << "five on four places";
}

} // namespace
} // namespace alltold
