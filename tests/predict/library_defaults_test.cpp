// SPDX-License-Identifier: BSD-3-Clause
// What the library runs by default is known, and its times follow where it switches.
#include "predict/library/library_defaults.hpp"

#include <gtest/gtest.h>

#include "core/units.hpp"
#include "networks.hpp"
#include "predict/choice/rank.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/library/counterparts.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/predict_algorithm.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/decision_table.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold::test {
namespace {

using enum Collective;
using enum MpiLibrary;

TEST(LibraryDefaults, AreOpenMpisSwitchPoints) {
    const auto runs = [](Collective collective, int ranks, std::uint64_t size_bytes) {
        return default_algorithm(open_mpi, collective, ranks, size_bytes).value_or("-");
    };
    EXPECT_EQ(runs(bcast, 12, 32 * ki - 1), "binomial");
    EXPECT_EQ(runs(bcast, 12, 32 * ki), "basic_linear");
    EXPECT_EQ(runs(bcast, 7, 8 * ki), "basic_linear");
    EXPECT_EQ(runs(bcast, 2, 0), "pipeline");
    EXPECT_EQ(runs(bcast, 1 << 20, 1 << 30), "scatter_allgather");
    EXPECT_EQ(runs(scatter, 9, 16 * ki - 1), "binomial");
    EXPECT_EQ(runs(scatter, 9, 16 * ki), "linear_nb");
    EXPECT_EQ(runs(gather, 12, 1 << 30), "binomial");
    EXPECT_EQ(runs(alltoall, 2, 64), "pairwise");
    EXPECT_EQ(runs(alltoall, 31, 256), "modified_bruck");
    EXPECT_EQ(runs(allgather, 31, 1 << 30), "recursive_doubling");
    EXPECT_EQ(runs(barrier, 6, 0), "linear");
    EXPECT_EQ(runs(alltoallv, 6, 64), "-");
    EXPECT_FALSE(default_algorithm(mpich, bcast, 12, 64));
}

TEST(LibraryDefaults, AreThoseOfTheVersionsTheyWereReadFrom) {
    EXPECT_EQ(known_defaults("Open MPI v4.1.4, package: Debian OpenMPI"), open_mpi);
    EXPECT_EQ(known_defaults("Open MPI v5.0.7"), open_mpi);
    EXPECT_EQ(known_defaults("Open MPI v4.0.3"), other);
    EXPECT_EQ(known_defaults("MPICH Version:\t4.0.2"), other);
}

TEST(LibraryDefaults, OfThePapersCollectivesHaveACounterpartNear) {
    for (const auto collective : papers_collectives)
        for (const int ranks : {2, 3, 5, 12, 24, 48, 96, 200, 600, 3000})
            for (std::uint64_t m = 1; m <= 4 * ki * ki; m *= 2) {
                const auto name = default_algorithm(open_mpi, collective, ranks, m);
                ASSERT_TRUE(name);
                const auto near = nearest(open_mpi, collective, *name, ranks, m);
                ASSERT_TRUE(near) << *name;
                EXPECT_TRUE(accepts(*near->algorithm, collective, ranks, 0, near->parameters));
            }
}

TEST(LibraryDefaults, LinearOnesAreFlat) {
    const auto near = [](Collective collective, std::string_view name) {
        const auto choice = nearest(open_mpi, collective, name, 6, 64);
        return choice ? choice->algorithm->name : "";
    };
    EXPECT_EQ(near(barrier, "linear"), "barrier.flat");
    EXPECT_EQ(near(allreduce, "basic_linear"), "allreduce.flat");
    EXPECT_EQ(near(reduce, "linear"), "reduce.flat");
}

/// How many times longer than the model of what Open MPI runs its broadcasts take.
using Factor = double (*)(std::string_view runs);

double library_s(const Network& network, int ranks, std::uint64_t size_bytes, Factor factor) {
    const Baseline defaults{*algorithm_model("plogp"), nullptr, true};
    const auto modelled = baseline_time(network, defaults, bcast, Clusters({ranks}), size_bytes);
    return factor(modelled->runs) * modelled->time_s.value;
}

/// slow_network() where the library's broadcast was measured on 4, 6 and 12 hosts.
Network with_bcasts(Factor factor, MpiLibrary defaults_of = open_mpi) {
    auto network = slow_network();
    network.defaults_of = open_mpi;
    std::vector<RepeatedCall> calls;
    for (const int ranks : {4, 6, 12})
        for (std::uint64_t m = 1 * ki; m <= 64 * ki; m *= 4) {
            const double time_s = library_s(network, ranks, m, factor);
            RepeatedCall call;
            call.clusters = Clusters({ranks});
            call.size_bytes = m;
            call.times_s = {time_s, 1.01 * time_s, 0.99 * time_s};
            calls.push_back(std::move(call));
        }
    network.defaults_of = defaults_of;
    SimulationCache simulations;
    const CorrectedCalls of{{bcast}, true, false};
    network.corrections.push_back(*fit_correction(
        of, medians_of(calls), network, baselines_of(of, network, Clusters({12})), simulations));
    return network;
}

TEST(LibraryDefaults, TellItsTimeWhereItRunsAnotherThanAtTheSizesMeasured) {
    const Factor factor = [](std::string_view) { return 1.2; };
    const auto ratio = [&](const Network& network, int ranks, std::uint64_t m) {
        const auto predicted = predict_library(network, bcast, Clusters({ranks}), m);
        return predicted
                   ? predicted->time_s.value / library_s(with_bcasts(factor), ranks, m, factor)
                   : 0;
    };
    const auto network = with_bcasts(factor);
    EXPECT_TRUE(network.corrections.front().baseline().by_defaults);
    EXPECT_NEAR(ratio(network, 5, 23000), 1, 0.05);
    EXPECT_NEAR(ratio(network, 11, 30000), 1, 0.05);
    EXPECT_NEAR(ratio(network, 11, 34000), 1, 0.05);
    // Else a broadcast of 30,000 B is taken for what lies between those of 16 and 64 KiB.
    EXPECT_GT(ratio(with_bcasts(factor, other), 11, 30000), 1.2);
}

TEST(LibraryDefaults, StandForWhatWasNotMeasured) {
    auto network = slow_network();
    EXPECT_FALSE(predict_library(network, scatter, Clusters({12}), 4 * ki)) << "of what library?";
    network.defaults_of = open_mpi;
    const auto predicted = predict_library(network, scatter, Clusters({12}), 4 * ki);
    ASSERT_TRUE(predicted) << predicted.error().message;
    const Baseline defaults{*algorithm_model("plogp"), nullptr, true};
    const auto modelled = baseline_time(network, defaults, scatter, Clusters({12}), 4 * ki);
    EXPECT_DOUBLE_EQ(predicted->time_s.value, modelled->time_s.value);
    EXPECT_LT(predicted->time_s.low, predicted->time_s.value) << "down to the bound";
    EXPECT_GT(predicted->time_s.high, 1.25 * predicted->time_s.value);
    EXPECT_EQ(predicted->model, "its default, binomial, on plogp");
    ASSERT_EQ(predicted->caveats.size(), 1U);
    EXPECT_TRUE(predicted->caveats.front().starts_with(
        "no scatter of the MPI library was measured on one cluster: the time is that of "
        "scatter.binomial, "))
        << predicted->caveats.front();
    // Such a time makes no rule, however much quicker one of ours seems.
    EXPECT_FALSE(library_known(network, scatter, Clusters({12}), 4 * ki));
    for (const auto& rule : decision_table(network, {.clusters = Clusters({12}), .most_ranks = 12}))
        EXPECT_TRUE(rule.choice.is_default()) << text_of(rule);
    const auto ranking = rank(network, scatter, Clusters({12}), 4 * ki);
    ASSERT_TRUE(ranking);
    EXPECT_EQ(library_choice(*ranking), nullptr);
}

TEST(LibraryDefaults, RulesChangeWhereTheLibrarySwitches) {
    // Ours is quicker than a binary tree only, which runs on 8 to 15 ranks from 4 to 16 KiB.
    const auto network =
        with_bcasts([](std::string_view runs) { return runs == "binary_tree" ? 3. : 0.2; });
    const std::vector<std::vector<Rule>> sources{
        decision_table(network, {.clusters = Clusters({12}), .most_ranks = 12})};
    const auto runs_ours = [&](std::uint64_t m) {
        return ChoiceTable(sources, bcast, Clusters({11})).at(m).algorithm != nullptr;
    };
    EXPECT_FALSE(runs_ours(4 * ki - 1));
    EXPECT_TRUE(runs_ours(4 * ki));
    EXPECT_TRUE(runs_ours(16 * ki - 1));
    EXPECT_FALSE(runs_ours(16 * ki));
}

} // namespace
} // namespace alltold::test
