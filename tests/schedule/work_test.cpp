// SPDX-License-Identifier: BSD-3-Clause
// What schedules take is known before they are built, and what is too much is refused.
#include "schedule/algorithms/work.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"

namespace alltold {
namespace {

const Algorithm& named(const char* name) {
    return **find_algorithm(name);
}

double built(const char* name, const Specification& call, const Parameters& parameters, int rank) {
    double count = 0;
    const auto schedule = schedule_of(named(name), call, parameters, rank);
    for (const auto& operation : schedule.operations())
        count += operation.kind != Kind::join;
    return count;
}

double counted(const char* name, const Specification& call, const Parameters& parameters,
               int rank) {
    return operations_of(named(name), {call.collective(), rank, call.ranks(), call.root(),
                                       call.size_bytes(), nullptr, parameters});
}

TEST(Work, IsCountedWithoutSegments) {
    for (const char* name :
         {"bcast.chain_segmented", "bcast.binomial_segmented", "bcast.flat_segmented",
          "alltoall.paced", "reduce.chain_segmented", "reduce.binary_segmented",
          "allreduce.chain_segmented", "allreduce.ring", "scan.chain_segmented"}) {
        const auto collective = named(name).collective;
        const auto call = Specification::of(collective, 7, 0, 10'000);
        for (const std::uint64_t segment : {100, 3000, 10'000, 20'000})
            for (int rank = 0; rank < call.ranks(); ++rank) {
                const Parameters parameters{.segment_bytes = segment};
                EXPECT_EQ(counted(name, call, parameters, rank),
                          built(name, call, parameters, rank))
                    << name << ", segment " << segment << ", rank " << rank;
            }
    }
}

TEST(Work, IsNeverUnderestimated) {
    const Parameters parameters{.segment_bytes = 50};
    for (const char* name : {"bcast.circulant", "reduce.circulant"}) {
        const auto call = Specification::of(named(name).collective, 13, 0, 5000);
        for (int rank = 0; rank < call.ranks(); ++rank) {
            const double real = built(name, call, parameters, rank);
            EXPECT_GE(counted(name, call, parameters, rank), real) << name << " " << rank;
            EXPECT_LE(counted(name, call, parameters, rank), 5 * real) << name << " " << rank;
        }
    }
}

/// The error of too much, in no time.
std::string refusal(const char* name, int ranks, std::uint64_t size_bytes,
                    const Parameters& parameters = {}) {
    const auto call = Specification::of(named(name).collective, ranks, 0, size_bytes);
    const auto able = check_work(named(name), call, parameters, to_show);
    return able ? "" : able.error().message;
}

TEST(Work, IsRefusedWithWhatItTakesAndWhatToChange) {
    EXPECT_EQ(refusal("alltoall.direct", 3000, 1),
              "alltoall.direct among 3000 ranks takes about 1.8e+07 operations, and 1e+06 are the "
              "most to show; use fewer ranks");
    EXPECT_EQ(refusal("bcast.chain_segmented", 4, 1 << 30, {.segment_bytes = 1}),
              "bcast.chain_segmented among 4 ranks takes about 1.1e+09 operations of one rank, and "
              "3e+04 are the most to show; use fewer ranks or larger segments");
    EXPECT_EQ(refusal("gather.flat", most_ranks, 1).substr(0, 43),
              "gather.flat among 1000000 ranks takes about");
    EXPECT_EQ(refusal("alltoall.direct", 100, 1), "");
    EXPECT_EQ(refusal("bcast.chain_segmented", 4, 1 << 20, {.segment_bytes = 1024}), "");
}

TEST(Work, ALimitlessWindowTakesNoMemory) {
    const auto call = Specification::of(Collective::alltoall, 5, 0, 3000);
    const Parameters free{.segment_bytes = 1000};
    const Parameters wide{
        .segment_bytes = 1000, .window = most_window, .inter_cluster_window = most_window};
    for (int rank = 0; rank < 5; ++rank)
        EXPECT_EQ(schedule_of(named("alltoall.paced"), call, free, rank).size(),
                  schedule_of(named("alltoall.paced"), call, wide, rank).size());
    EXPECT_FALSE(
        accepts(named("alltoall.paced"), Collective::alltoall, 5, -1, {.window = most_window + 1}));
}

TEST(Work, BytesThatCannotBeNumberedAreRefused) {
    EXPECT_TRUE(check_bytes(Collective::bcast, most_ranks, most_size_bytes));
    EXPECT_TRUE(check_bytes(Collective::alltoall, 1000, 1 << 30));
    const auto scatter = check_bytes(Collective::scatter, most_ranks, most_size_bytes);
    ASSERT_FALSE(scatter);
    EXPECT_NE(scatter.error().message.find("too many to count"), std::string::npos);
    EXPECT_FALSE(check_bytes(Collective::alltoall, 100, most_size_bytes));
}

} // namespace
} // namespace alltold
