// SPDX-License-Identifier: BSD-3-Clause
// Measured collectives beside models: learnt from a campaign, kept, read back, used, refused.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/random.hpp"
#include "predict/choice/choice.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/predict_algorithm.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "store/fit_campaign.hpp"
#include "store/json_text.hpp"
#include "store/profile_json.hpp"

namespace alltold {
namespace {

const PLogP plogp{Estimate::exact(50e-6), SizeCurve::line(20e-6, 1.6e-7), {}, {}};

CallTime predicted(const Network& network, const char* text, int n, std::uint64_t size_bytes) {
    const auto choice = *parse_choice(text);
    const Clusters clusters({n});
    return *predict_algorithm(network, *choice.algorithm,
                              Specification::of(choice.algorithm->collective, n, 0, size_bytes),
                              clusters, choice.parameters,
                              **preferred_model(network, clusters, choice.algorithm->name,
                                                static_cast<double>(size_bytes)));
}

Network uncorrected(Network network) {
    network.corrections.clear();
    return network;
}

/// Broadcasts that take a quarter more than pLogP says, chains half more.
PointSamples measured(const char* algorithm, int n, std::uint64_t size_bytes, Random& random) {
    Network network;
    network.plogp = plogp;
    const double factor = std::string(algorithm).starts_with("bcast.chain") ? 1.5 : 1.25;
    const double time_s = factor * predicted(network, algorithm, n, size_bytes).time_s.value;
    PointSamples made{{"bcast", algorithm, Clusters({n}), size_bytes, -1, -1}, {}};
    made.samples.push_back({0, 100, true, 0});
    for (int i = 1; i <= 5; ++i)
        made.samples.push_back({i, time_s * (1 + 0.01 * random.normal()), false, 0});
    return made;
}

Profile fitted(const std::function<bool(const Point&)>& held_out = [](const Point&) {
    return false;
}) {
    Random random(1);
    std::vector<PointSamples> points;
    for (const char* algorithm :
         {"bcast.binomial", "bcast.chain", "bcast.chain_segmented segment=8KiB"})
        for (const int n : {4, 8})
            for (const std::uint64_t size : {1 << 10, 1 << 14, 1 << 18})
                points.push_back(measured(algorithm, n, size, random));
    points.push_back({{"bcast", "mpi", Clusters({4}), 1024, -1, -1}, {}});
    Profile profile;
    profile.provenance.clusters = Clusters({12});
    profile.provenance.hosts.assign(12, "h");
    Fitting fitting(points, profile.provenance.clusters, held_out);
    fitting.network.plogp = plogp;
    SimulationCache simulations;
    fit_corrections(fitting, simulations);
    profile.network = std::move(fitting.network);
    profile.refused = std::move(fitting.refused);
    return profile;
}

TEST(Corrections, MoveTheModelToWhatWasMeasured) {
    const auto profile = fitted();
    ASSERT_EQ(profile.network.corrections.size(), 1U);
    const auto& correction = profile.network.corrections.front();
    EXPECT_EQ(correction.of().probe.collective, Collective::bcast);
    EXPECT_EQ(correction.baseline().text(), "plogp");
    EXPECT_EQ(correction.calls().size(), 18U);
    EXPECT_LT(correction.fit().left_out.median_error, 0.03);
    const auto& network = profile.network;
    const auto bare = uncorrected(network);
    for (const auto& [algorithm, factor] :
         {std::pair{"bcast.binomial", 1.25}, std::pair{"bcast.chain", 1.5}}) {
        const auto with = predicted(network, algorithm, 12, 1 << 16);
        const auto without = predicted(bare, algorithm, 12, 1 << 16);
        EXPECT_NEAR(with.time_s.value / without.time_s.value, factor, 0.06) << algorithm;
        EXPECT_LT(with.time_s.low, with.time_s.value);
        EXPECT_LT(with.time_s.value, with.time_s.high);
        EXPECT_EQ(with.method, without.method + "; corrected by 18 measurements");
    }
}

TEST(Corrections, LeaveAloneWhatWasNotMeasured) {
    const auto network = fitted().network;
    const auto gather = predicted(network, "gather.flat", 12, 1 << 16);
    const auto bare = predicted(uncorrected(network), "gather.flat", 12, 1 << 16);
    EXPECT_EQ(gather.time_s.value, bare.time_s.value);
    EXPECT_EQ(gather.method, bare.method);
    // A model that was not corrected stays as it is.
    auto with_links = network;
    with_links.links = LinkNetwork{{6e6, 1e-5, 0}, {}, 1e-5};
    const auto choice = *parse_choice("bcast.chain");
    const auto by_links = *predict_algorithm(with_links, *choice.algorithm,
                                             Specification::of(Collective::bcast, 12, 0, 1 << 16),
                                             Clusters({12}), {}, **algorithm_model("links"));
    EXPECT_EQ(by_links.method, "simulated");
}

TEST(Corrections, AreApartForCallsFromAnotherStart) {
    Random random(1);
    std::vector<PointSamples> points;
    for (const char* probe : {"alltoall", "barrier:alltoall"})
        for (const int n : {4, 8})
            for (const std::uint64_t size : {1 << 10, 1 << 14, 1 << 18}) {
                auto point = measured("alltoall.rotated", n, size, random);
                point.point.probe = probe;
                for (auto& sample : point.samples)
                    sample.value *= point.point.probe == "alltoall" ? 1 : 2;
                points.push_back(std::move(point));
            }
    Fitting fitting(points, Clusters({12}), [](const Point&) { return false; });
    fitting.network.plogp = plogp;
    SimulationCache simulations;
    fit_corrections(fitting, simulations);
    ASSERT_EQ(fitting.network.corrections.size(), 2U);
    Profile profile;
    profile.provenance.clusters = Clusters({12});
    profile.provenance.hosts.assign(12, "h");
    profile.network = fitting.network;
    const auto read = profile_from_json(json_text(profile_to_json(profile)), "net.json");
    ASSERT_TRUE(read) << read.error().message;
    const auto usual = predicted(read->network, "alltoall.rotated", 8, 1 << 14);
    const auto after =
        predicted(network_after(read->network, StartMode::barrier), "alltoall.rotated", 8, 1 << 14);
    EXPECT_NEAR(after.time_s.value / usual.time_s.value, 2, 0.05);
    EXPECT_TRUE(network_after(read->network, StartMode::silence).corrections.empty());
}

TEST(Corrections, LostFromAnotherStartAreNamed) {
    const auto usual = fitted().network;
    const auto after = network_after(usual, StartMode::barrier);
    const auto caveats = [](const Network& network, const char* algorithm) {
        return predicted(network, algorithm, 12, 1 << 16).caveats;
    };
    ASSERT_EQ(caveats(after, "bcast.chain").size(), 1U);
    EXPECT_EQ(caveats(after, "bcast.chain").front(),
              "alltold's bcast on one cluster was not measured after a barrier: the time is the "
              "model's, not corrected by the 18 calls that were measured from another start");
    EXPECT_TRUE(caveats(after, "gather.flat").empty()) << "none was measured from any start";
    EXPECT_TRUE(caveats(usual, "bcast.chain").empty());
}

TEST(Corrections, AreNotMadeFromWhatIsHeldOut) {
    const auto profile = fitted([](const Point& point) { return point.size_bytes == 1 << 14; });
    ASSERT_EQ(profile.network.corrections.size(), 1U);
    EXPECT_EQ(profile.network.corrections.front().calls().size(), 12U);
    for (const auto& call : profile.network.corrections.front().calls())
        EXPECT_NE(call.size_bytes, 1U << 14);
    const auto one_size = fitted([](const Point& point) { return point.size_bytes > 1024; });
    ASSERT_EQ(one_size.network.corrections.size(), 1U);
    EXPECT_EQ(one_size.network.corrections.front().fit().left_out.calls, 0) << "unchecked";
    EXPECT_GT(one_size.network.corrections.front().fit().reach, 2);
}

TEST(Corrections, ReadBackAsTheyWereWritten) {
    const auto profile = fitted();
    const auto text = json_text(profile_to_json(profile));
    const auto read = profile_from_json(text, "net.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(json_text(profile_to_json(*read)), text);
    EXPECT_EQ(predicted(read->network, "bcast.chain", 12, 1 << 16).time_s.value,
              predicted(profile.network, "bcast.chain", 12, 1 << 16).time_s.value);
}

TEST(Corrections, ThatAreWrongAreNamed) {
    const auto good = nlohmann::ordered_json::parse(json_text(profile_to_json(fitted())));
    const auto complaint = [&](const char* pointer, const nlohmann::ordered_json& value) {
        auto bad = good;
        bad[nlohmann::ordered_json::json_pointer(pointer)] = value;
        const auto read = profile_from_json(bad.dump(), "net.json");
        return read ? std::string("none") : read.error().message;
    };
    const auto expect = [&](const char* pointer, const nlohmann::ordered_json& value,
                            const char* wanted) {
        const auto message = complaint(pointer, value);
        EXPECT_NE(message.find(wanted), std::string::npos) << message;
        EXPECT_NE(message.find("net.json: /corrections/0"), std::string::npos) << message;
    };
    expect("/corrections/0/on", "no cluster", "expected \"one cluster\"");
    expect("/corrections/0/baseline/model", "logp", "unknown model 'logp'");
    expect("/corrections/0/baseline/resembles", "gather.flat", "expected an algorithm for bcast");
    expect("/corrections/0/of", "theirs", "expected \"library\" or \"ours\"");
    expect("/corrections/0/kernel/noise_sd", -1, "noise_sd");
    expect("/corrections/0/collective", "gather",
           "expected one of alltold's algorithms for gather");
    expect("/corrections/0/measured/0/algorithm", "bcast.tree", "bcast.tree");
    expect("/corrections/0/measured/0/clusters", "4+4", "does not belong to these corrections");
    expect("/corrections/0/measured/0/measured_s", 0, "measured_s");
    expect("/corrections/0/measured", nlohmann::ordered_json::array(), "has no measured calls");
}

} // namespace
} // namespace alltold
