// SPDX-License-Identifier: BSD-3-Clause
// Every model of algorithms takes part in the comparison on measured calls, or a note says why not.
#include "predict/corrections/algorithm_errors.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "networks.hpp"
#include "predict/choice/choice.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

using namespace test;

/// Of every model: pLogP, alpha and beta, links, a cluster model, signature and between clusters.
Network all_models() {
    auto network = joined_network();
    HockneyFit local, between;
    local.alpha_s = Estimate::exact(1e-4);
    local.beta_s_per_byte = Estimate::exact(2e-7);
    between.alpha_s = Estimate::exact(5e-3);
    between.beta_s_per_byte = Estimate::exact(3e-7);
    network.local = local;
    network.inter_cluster = between;
    SignatureFit signature;
    signature.network = {1e-4, 2e-7};
    signature.gamma = Estimate::exact(3);
    signature.delta_s = Estimate::exact(0);
    network.alltoall = signature;
    ClusterModel cluster;
    cluster.O_s = cluster.O_r = SizeCurve::line(10e-6, 1e-9);
    cluster.g_s = cluster.g_r = SizeCurve::line(20e-6, 1 / 6e6);
    cluster.U_r_s = 5e-6;
    cluster.L = {100e-6, 0, 1 / 6e6, 0};
    cluster.packet_bytes = 1448;
    network.cluster = cluster;
    return network;
}

/// A call that takes `factor` times what the model says on the network.
PointSamples measured(const Network& network, const char* model, const char* text,
                      const Clusters& clusters, std::uint64_t size_bytes, double factor) {
    SimulationCache simulations;
    const auto choice = *parse_choice(text);
    const auto collective = choice.algorithm->collective;
    const auto modelled =
        modelled_time(network, {*algorithm_model(model)}, collective, choice.algorithm,
                      choice.parameters, clusters, size_bytes, simulations);
    EXPECT_GT(modelled.time_s.value, 0) << text;
    PointSamples made{{std::string(name_of(collective)), text, clusters, size_bytes}, {}};
    for (int i = 0; i < 3; ++i)
        made.samples.push_back({i, factor * modelled.time_s.value, false, 0});
    return made;
}

std::vector<AlgorithmErrors> errors_of_points(const std::vector<PointSamples>& points,
                                              const Network& network,
                                              std::vector<FitNote>* notes = nullptr) {
    Fitting fitting(points, Clusters({8, 8}));
    fitting.network = network;
    SimulationCache simulations;
    auto errors = errors_of_algorithms(fitting, simulations);
    if (notes)
        *notes = fitting.notes;
    return errors;
}

/// The error of that model; -1 where it is not among them.
double error_of(const AlgorithmErrors& errors, std::string_view model) {
    const auto found = std::ranges::find(errors.models, model, &ModelError::name);
    return found == errors.models.end() ? -1 : found->leave_one_out;
}

TEST(AlgorithmErrors, Tw99AndSmtAreBesideTheOthersOnTheSameCalls) {
    const auto network = all_models();
    std::vector<PointSamples> points;
    for (const std::uint64_t size_bytes : {4096, 65536}) {
        for (const int n : {4, 8})
            points.push_back(measured(network, "tw99", "bcast.binomial_segmented segment=1448",
                                      Clusters({n}), size_bytes, 1.25));
        points.push_back(
            measured(network, "tw99", "gather.windowed window=3", Clusters({8}), size_bytes, 0.8));
        points.push_back(
            measured(network, "smt", "alltoall.lg", Clusters({3, 5}), size_bytes, 1.25));
        points.push_back(
            measured(network, "links", "bcast.chain", Clusters({3, 5}), size_bytes, 1));
    }
    std::vector<FitNote> notes;
    const auto errors = errors_of_points(points, network, &notes);
    EXPECT_TRUE(notes.empty()) << notes.front().text;
    ASSERT_EQ(errors.size(), 3U) << "chains on several clusters have one model";
    EXPECT_EQ(errors[0].algorithm, "bcast.binomial_segmented");
    EXPECT_FALSE(errors[0].several_clusters);
    EXPECT_EQ(errors[0].calls, 4);
    EXPECT_EQ(errors[0].models.size(), 5U);
    for (const auto* model : {"links", "plogp", "hockney", "cluster", "tw99"})
        EXPECT_GE(error_of(errors[0], model), 0) << model;
    EXPECT_NEAR(error_of(errors[0], "tw99"), 0.2, 1e-9);
    EXPECT_EQ(errors[1].algorithm, "gather.windowed");
    EXPECT_NEAR(error_of(errors[1], "tw99"), 0.25, 1e-9);
    EXPECT_EQ(errors[2].algorithm, "alltoall.lg");
    EXPECT_TRUE(errors[2].several_clusters);
    EXPECT_EQ(errors[2].models.size(), 2U);
    EXPECT_NEAR(error_of(errors[2], "smt"), 0.2, 1e-9);
    EXPECT_GE(error_of(errors[2], "links"), 0);
    for (const auto& one : errors)
        EXPECT_TRUE(std::ranges::is_sorted(one.models, {}, &ModelError::leave_one_out));
}

TEST(AlgorithmErrors, NotesSayWhyAModelIsNotAmongThem) {
    auto network = all_models();
    network.cluster.reset();
    const auto chain = measured(network, "links", "bcast.chain", Clusters({4}), 4096, 1);
    std::vector<FitNote> notes;
    const auto errors = errors_of_points({chain}, network, &notes);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].models.front().name, "links");
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].what, "models of algorithms not compared");
    EXPECT_EQ(notes[0].text,
              "cluster, tw99: lacks a cluster model; smt: measured calls are others: SMT equation "
              "7 holds only for alltoall.lg on two clusters or more");

    EXPECT_TRUE(errors_of_points({}, all_models(), &notes).empty());
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].text.find("; "), std::string::npos) << notes[0].text;
    EXPECT_NE(notes[0].text.find("tw99: no call of alltold's algorithms was measured"),
              std::string::npos)
        << notes[0].text;
    // What crosses clusters is for links alone.
    const auto across = measured(network, "links", "bcast.chain", Clusters({3, 5}), 4096, 1);
    EXPECT_TRUE(errors_of_points({across}, network, &notes).empty());
    EXPECT_NE(notes[0].text.find("links: no algorithm was measured that it and another model"),
              std::string::npos)
        << notes[0].text;
}

TEST(AlgorithmErrors, LeaveOutCallsFromAnotherStartAndTheLibrarysOwn) {
    const auto network = all_models();
    auto barrier = measured(network, "links", "alltoall.pairwise", Clusters({4}), 4096, 1);
    barrier.point.probe = "barrier:alltoall";
    auto library = measured(network, "links", "bcast.chain", Clusters({4}), 4096, 1);
    library.point.algorithm = "mpi";
    EXPECT_TRUE(errors_of_points({barrier, library}, network).empty());
}

} // namespace
} // namespace alltold
