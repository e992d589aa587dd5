// SPDX-License-Identifier: BSD-3-Clause
// The library's algorithms are chosen where they are known to be quicker than its own choice.
#include "predict/library/library_ranking.hpp"

#include <gtest/gtest.h>

#include "predict/bounds/plausibility.hpp"
#include "predict/decide/decided_call.hpp"
#include "predict/library/counterparts.hpp"
#include "predict/rules/decision_table.hpp"

namespace alltold::test {
namespace {

using enum Collective;
using enum MpiLibrary;

/// An all-to-all on 4 and 8 ranks of which pairwise takes `ratio` of the time from 4 KiB on.
Network measured_library(double ratio) {
    Network network;
    for (const int ranks : {4, 8})
        for (const std::uint64_t size : {64, 1024, 16384, 262144}) {
            const double time_s = 1e-6 * static_cast<double>(size) * ranks;
            const auto exactly = [](double value) {
                return Estimate{value, 0.99 * value, 1.01 * value};
            };
            network.library.push_back({alltoall, Clusters({ranks}), size, exactly(time_s)});
            network.library.push_back({alltoall, Clusters({ranks}), size,
                                       exactly(size > 4096 ? ratio * time_s : 2 * time_s),
                                       "mpi.pairwise"});
        }
    return network;
}

/// The choice on 8 ranks among Open MPI's own algorithms.
std::string decided(const Network& network, std::uint64_t size_bytes) {
    SimulationCache simulations;
    const Clusters hosts({8});
    const Decider decider(network, StartMode::silence, alltoall, hosts, simulations,
                          {.library = open_mpi});
    return text_of(decider.at({&hosts, 1}, size_bytes).choice());
}

TEST(LibraryRanking, MeasuredTimesDecide) {
    const auto ranking =
        rank_library(measured_library(0.5), open_mpi, alltoall, Clusters({8}), 16384);
    ASSERT_TRUE(ranking);
    EXPECT_EQ(ranking->candidates.front().model, "measured");
    EXPECT_EQ(decided(measured_library(0.5), 65536), "mpi.pairwise");
    EXPECT_EQ(decided(measured_library(0.5), 64), "mpi");
}

TEST(LibraryRanking, OneNumberOfRanksShowsNoGrowth) {
    auto network = measured_library(0.5);
    const auto ranked = [&](int ranks) {
        auto ranking = rank_library(network, other, alltoall, Clusters({ranks}), 32768);
        EXPECT_TRUE(ranking);
        return std::move(*ranking);
    };
    EXPECT_EQ(ranked(16).candidates.size(), 2U);
    const auto leave_out_on_8 = [&](std::string_view algorithm) {
        std::erase_if(network.library, [&](const LibraryTime& one) {
            return one.algorithm == algorithm && one.clusters.ranks() == 8;
        });
    };
    leave_out_on_8("mpi.pairwise");
    EXPECT_EQ(ranked(16).candidates.size(), 1U);
    ASSERT_EQ(ranked(16).unranked.size(), 1U);
    EXPECT_NE(ranked(16).unranked.front().why.find("one other number of ranks"), std::string::npos);
    EXPECT_EQ(ranked(4).candidates.size(), 2U) << "other sizes of calls on 4 tell";
    EXPECT_EQ(ranked(7).candidates.size(), 2U) << "to less than twice as many it hardly grows";
    leave_out_on_8("mpi");
    EXPECT_EQ(ranked(16).candidates.size(), 2U) << "of neither is it known";
}

TEST(LibraryRanking, SingleMessagesDoNotTellOfRanksThatShareAHost) {
    auto network = measured_library(2);
    std::erase_if(network.library, [](const LibraryTime& one) { return one.algorithm != "mpi"; });
    HockneyFit pairs;
    pairs.alpha_s = pairs.latency_s = Estimate::exact(1e-6);
    pairs.beta_s_per_byte = Estimate::exact(1e-8);
    network.local = pairs;
    EXPECT_NE(decided(network, 262144), "mpi");
    network.plausibility.slow = slow_exchanges(network);
    ASSERT_TRUE(network.plausibility.slow) << "100 times the bound";
    EXPECT_EQ(decided(network, 262144), "mpi");
}

TEST(LibraryRanking, AGainThatMayBeChanceIsNone) {
    const auto ranking =
        rank_library(measured_library(0.995), open_mpi, alltoall, Clusters({8}), 16384);
    ASSERT_TRUE(ranking);
    EXPECT_EQ(text_of(ranking->candidates.front().choice), "mpi.pairwise");
    EXPECT_EQ(decided(measured_library(0.995), 65536), "mpi");
}

TEST(LibraryRanking, AlgorithmsMeasuredWithAWindow) {
    auto network = measured_library(0.5);
    for (auto& one : network.library)
        if (one.algorithm != "mpi")
            one.algorithm = "mpi.linear_sync window=4";
    EXPECT_EQ(decided(network, 65536), "mpi.linear_sync window=4");
}

TEST(LibraryRanking, NothingWithoutTheLibrarysOwnTime) {
    EXPECT_FALSE(rank_library(measured_library(0.5), open_mpi, bcast, Clusters({8}), 65536));
    // MPICH has a pairwise of its own, but no linear_sync.
    auto network = measured_library(0.5);
    for (auto& one : network.library)
        if (one.algorithm != "mpi")
            one.algorithm = "mpi.linear_sync";
    const auto ranking = rank_library(network, mpich, alltoall, Clusters({8}), 65536);
    ASSERT_TRUE(ranking);
    EXPECT_EQ(ranking->candidates.size(), 1u);
}

TEST(LibraryRanking, TableOfTheLibrarysAlgorithms) {
    const auto rules = decision_table(
        measured_library(0.5), {.clusters = Clusters({8}), .most_ranks = 16, .library = open_mpi});
    const auto at = [&](std::uint64_t size, int ranks) {
        for (const auto& rule : rules)
            if (rule.covers(alltoall, size, {ranks, 1}))
                return text_of(rule.choice);
        return std::string("none");
    };
    EXPECT_EQ(at(65536, 8), "mpi.pairwise");
    EXPECT_EQ(at(65536, 4), "mpi.pairwise");
    EXPECT_EQ(at(64, 8), "mpi");
    EXPECT_EQ(at(65536, 16), "mpi.pairwise") << "half the time on 4 and on 8 ranks";
    EXPECT_EQ(at(1 << 22, 8), "mpi") << "16 times the longest measured";
}

TEST(Counterpart, OnlyOfEqualSchedules) {
    const Choice pairwise{nullptr, {}, "pairwise"}, binomial{nullptr, {}, "binomial"},
        scattered{nullptr, {}, "scattered"};
    EXPECT_TRUE(counterpart(open_mpi, alltoall, Clusters({8}), pairwise));
    EXPECT_TRUE(counterpart(open_mpi, alltoall, Clusters({3, 4}), pairwise));
    EXPECT_FALSE(counterpart(open_mpi, alltoall, Clusters({4, 4}), pairwise));
    EXPECT_TRUE(counterpart(mpich, alltoall, Clusters({4, 4}), pairwise));
    EXPECT_TRUE(counterpart(mpich, bcast, Clusters({8}), binomial));
    EXPECT_FALSE(counterpart(open_mpi, gather, Clusters({8}), binomial));
    EXPECT_TRUE(counterpart(mpich, alltoall, Clusters({32}), scattered));
    EXPECT_FALSE(counterpart(mpich, alltoall, Clusters({33}), scattered));
    const auto pipeline =
        counterpart(open_mpi, bcast, Clusters({8}), {nullptr, {.segment_bytes = 8192}, "pipeline"});
    ASSERT_TRUE(pipeline);
    EXPECT_EQ(text_of(*pipeline), "bcast.chain_segmented segment=8KiB");
}

/// To whom each rank sends, in order.
std::vector<std::vector<int>> children(std::string_view algorithm, int ranks) {
    std::vector<std::vector<int>> all;
    for (int rank = 0; rank < ranks; ++rank) {
        auto& mine = all.emplace_back();
        const auto schedule =
            schedule_of(**find_algorithm(algorithm),
                        Specification::of(Collective::bcast, ranks, 0, 1), {}, rank);
        for (const auto& operation : schedule.operations())
            if (operation.kind == Kind::send)
                mine.push_back(operation.peer);
    }
    return all;
}

// As coll_base_topo.c builds them.
TEST(Counterpart, HasOpenMpisTrees) {
    using Children = std::vector<std::vector<int>>;
    EXPECT_EQ(children("bcast.binary_interleaved", 9),
              (Children{{1, 2}, {3, 5}, {4, 6}, {7}, {8}, {}, {}, {}, {}}));
    EXPECT_EQ(children("bcast.binomial_doubling", 7),
              (Children{{1, 2, 4}, {3, 5}, {6}, {}, {}, {}, {}}));
}

} // namespace
} // namespace alltold::test
