// SPDX-License-Identifier: BSD-3-Clause
// Which model's times are corrected.
#include "predict/corrections/fit_corrections.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "measured_calls.hpp"
#include "network/cost_model.hpp"
#include "predict/library/library_prediction.hpp"

namespace alltold {
namespace {

using test::repeated;

/// The model that is corrected if broadcasts take times between what pLogP and links say, nearer to
/// pLogP's by this share of the way.
std::string_view corrected(double nearer_to_plogp, double mss_bytes) {
    auto network = test::slow_network();
    network.links = LinkNetwork{{6e6, 100e-6, 0}, {}, 20e-6};
    network.links->store_and_forward = 1;
    network.links->mss_bytes = mss_bytes;
    const CorrectedCalls of{{Collective::bcast}, false, false};
    SimulationCache simulations;
    std::vector<RepeatedCall> calls;
    for (const auto* name : {"bcast.binomial", "bcast.chain", "bcast.flat"})
        for (const int ranks : {3, 4, 6, 8})
            for (const std::uint64_t m : {256, 1024, 4096, 16384}) {
                const auto* algorithm = *find_algorithm(name);
                const auto modelled_s = [&](std::string_view model) {
                    return modelled_time(network, {*algorithm_model(model)}, Collective::bcast,
                                         algorithm, {}, Clusters({ranks}), m, simulations)
                        .time_s.value;
                };
                const double time_s = std::pow(modelled_s("plogp"), nearer_to_plogp) *
                                      std::pow(modelled_s("links"), 1 - nearer_to_plogp);
                calls.push_back(repeated(Clusters({ranks}), m, time_s, algorithm));
            }
    const auto fit = fit_correction(of, medians_of(calls), network,
                                    baselines_of(of, network, calls.front().clusters), simulations);
    EXPECT_TRUE(fit) << fit.error().message;
    return fit->baseline().model->name;
}

TEST(FitCorrections, LinksThatKnowPacketsGiveWayOnlyToFarMoreEvidence) {
    EXPECT_EQ(corrected(0.5, 0), "plogp");
    EXPECT_EQ(corrected(0.5, 1448), "links");
    EXPECT_EQ(corrected(1, 1448), "plogp");
}

const Clusters twelve_hosts({12});
const Choice flat{*find_algorithm("gather.flat")};

/// A queue that eleven blocks of 6 KiB fill.
Network with_queue() {
    auto network = test::slow_network();
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, {}, 20e-6};
    return network;
}

CallTime flat_gather(const Network& network, std::uint64_t size_bytes) {
    return *evaluate(network, Collective::gather, twelve_hosts, size_bytes, flat);
}

TEST(FitCorrections, OnlyRepetitionsThatScatterHaveALowerQuartile) {
    std::vector<RepeatedCall> calls(2, repeated(twelve_hosts, 32768, 0.1));
    calls[0].times_s = {0.293, 0.066, 0.289, 0.066};
    EXPECT_EQ(medians_of(calls)[0].lower_quartile_s, 0.066);
    EXPECT_EQ(medians_of(calls)[1].lower_quartile_s, 0) << "they hardly scatter";
    EXPECT_EQ(medians_of(calls)[0].timed_out, 2);
}

TEST(FitCorrections, LearnWhatLossesCost) {
    const auto network = with_queue();
    std::vector<RepeatedCall> calls;
    for (const std::uint64_t m : {256, 512, 1024, 2048, 4096})
        calls.push_back(
            repeated(twelve_hosts, m, flat_gather(network, m).time_s.value, flat.algorithm));
    for (const std::uint64_t m : {16384, 65536, 131072})
        calls.push_back(
            repeated(twelve_hosts, m, 3 * flat_gather(network, m).time_s.value, flat.algorithm));
    auto known = network;
    test::correct(known, {{Collective::gather}, false, false}, calls);
    EXPECT_GT(flat_gather(known, 32768).time_s.value,
              2.5 * flat_gather(network, 32768).time_s.value);
    EXPECT_LT(flat_gather(known, 3000).time_s.high, 1.3 * flat_gather(network, 3000).time_s.value)
        << "what loses nothing is not corrected by it";
}

TEST(FitCorrections, TellWhatTheLibraryTakesWithoutLosses) {
    auto network = with_queue();
    network.links->port.queue_bytes = 30000;
    network.links->timeout_s = 0.2;
    const Baseline flat_on_links{*algorithm_model("links"), flat.algorithm};
    const auto modelled = [&](std::uint64_t m) {
        return *baseline_time(network, flat_on_links, Collective::gather, twelve_hosts, m);
    };
    EXPECT_EQ(modelled(2048).timeouts_s.value, 0);
    EXPECT_FALSE(modelled(2048).may_lose);
    constexpr std::uint64_t lossy_bytes = 16384;
    const auto lossy = modelled(lossy_bytes);
    ASSERT_GT(lossy.timeouts_s.value, 0.1);
    std::vector<RepeatedCall> calls;
    for (const std::uint64_t m : {128, 256, 512, 1024, 2048})
        calls.push_back(repeated(twelve_hosts, m, 1.2 * modelled(m).time_s.value));
    SimulationCache simulations;
    network.corrections.push_back(*fit_correction({{Collective::gather}, true, false},
                                                  medians_of(calls), network, {flat_on_links},
                                                  simulations));
    const auto predicted = [&](std::uint64_t m) {
        return *predict_library(network, Collective::gather, twelve_hosts, m);
    };
    EXPECT_FALSE(predicted(2048).lossless_s);
    const auto lossless_s = predicted(lossy_bytes).lossless_s;
    ASSERT_TRUE(lossless_s);
    EXPECT_NEAR(lossless_s->value / (lossy.time_s.value - lossy.timeouts_s.value), 1.2, 0.1)
        << "corrected like calls without losses";
    EXPECT_LT(lossless_s->high, predicted(lossy_bytes).time_s.value);
    EXPECT_LT(lossless_s->low, lossless_s->value);
}

TEST(FitCorrections, HearTheModelThatKnowsQueuesWhateverTimesLookLike) {
    const auto network = with_queue();
    const auto* plogp = *algorithm_model("plogp");
    std::vector<RepeatedCall> calls;
    for (const std::uint64_t m : {256, 512, 1024, 2048, 4096})
        calls.push_back(repeated(twelve_hosts, m, flat_gather(test::slow_network(), m).time_s.value,
                                 flat.algorithm));
    auto known = network;
    test::correct(known, {{Collective::gather}, false, false}, calls);
    EXPECT_EQ(known.corrections.front().baseline().model->name, "links") << "pLogP made them";
    EXPECT_GT(flat_gather(known, 32768).modelled.overflow_bytes, 0);
    const auto tries_plogp = [&](Collective collective, const Network& on) {
        return std::ranges::count(baselines_of({{collective}, false, false}, on, twelve_hosts),
                                  plogp, &Baseline::model) == 1;
    };
    EXPECT_FALSE(tries_plogp(Collective::alltoall, network));
    EXPECT_FALSE(tries_plogp(Collective::reduce, network));
    EXPECT_TRUE(tries_plogp(Collective::bcast, network)) << "no two blocks come at once";
    known.links->port.queue_bytes = 0;
    EXPECT_TRUE(tries_plogp(Collective::gather, known)) << "nothing knows the queue";
}

} // namespace
} // namespace alltold
