// SPDX-License-Identifier: BSD-3-Clause
// Which model's times are corrected.
#include "predict/corrections/fit_corrections.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "network/cost_model.hpp"
#include "networks.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

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
                        .time_s;
                };
                const double time_s = std::pow(modelled_s("plogp"), nearer_to_plogp) *
                                      std::pow(modelled_s("links"), 1 - nearer_to_plogp);
                auto& call = calls.emplace_back();
                call.algorithm = algorithm;
                call.clusters = Clusters({ranks});
                call.size_bytes = m;
                call.times_s = {time_s, 1.01 * time_s, 0.99 * time_s};
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

} // namespace
} // namespace alltold
