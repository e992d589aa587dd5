// SPDX-License-Identifier: BSD-3-Clause
// No prediction contradicts the bound that is printed beside it.
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "network/cost_model.hpp"
#include "predict/bounds/bounds.hpp"
#include "predict/choice/rank.hpp"
#include "predict/library/library_prediction.hpp"
#include "random_calls.hpp"

namespace alltold {
namespace {

using namespace test;

HockneyFit hockney_of_rate(double alpha_s, double bytes_per_s) {
    HockneyFit fit;
    fit.alpha_s = fit.latency_s = Estimate::exact(alpha_s);
    fit.beta_s_per_byte = Estimate::exact(1 / bytes_per_s);
    return fit;
}

/// Two clusters on a backbone that a few hosts fill, known to the models of links and to no other.
Network narrow_network() {
    auto network = pairs_of(100e-6, 20e-6, 6e6);
    network.local = hockney_of_rate(120e-6, 6e6);
    network.inter_cluster = hockney_of_rate(10e-3, 6e6);
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, Link{7e6, 10e-3, 262144}, 20e-6};
    return network;
}

TEST(BelowBound, NoModelOfTheLibrarysAlltoallForgetsTheBackbone) {
    const auto network = narrow_network();
    const Clusters clusters({20, 20});
    const double bound_s = collective_bound_s(Specification::of(Collective::alltoall, 40, 0, 65536),
                                              clusters, network);
    EXPECT_GT(bound_s, 3.7) << "400 blocks leave a cluster at 7 MB/s";
    int models = 0;
    for (const auto* model : cost_models()) {
        if (!model->times_library())
            continue;
        const auto predicted = predict_alltoall(network, clusters, 65536, *model);
        if (!predicted)
            continue;
        ++models;
        EXPECT_GE(predicted->time_s.value, bound_s) << model->name;
        EXPECT_LE(predicted->time_s.value, predicted->time_s.high) << model->name;
    }
    EXPECT_GT(models, 1);
    const auto ranking = *rank(network, Collective::alltoall, clusters, 65536);
    for (const auto& candidate : ranking.candidates)
        EXPECT_GE(candidate.time_s.value, bound_s) << text_of(candidate.choice);
}

TEST(BelowBound, NoPredictionOfRandomCallsOnRandomNetworks) {
    Random random(20);
    int checked = 0;
    for (int i = 0; i < 150; ++i) {
        auto network = random_network(random);
        if (network.links && random.index(2) == 0) {
            network.links->port.goodput_error = 0.2 * random.uniform();
            if (network.links->backbone)
                network.links->backbone->goodput_error = random.uniform();
        }
        const auto call = random_call(random);
        const auto ranking = rank(network, call.collective, call.clusters, call.size_bytes);
        if (!ranking)
            continue;
        for (const auto& candidate : ranking->candidates) {
            ++checked;
            EXPECT_GE(candidate.time_s.value, candidate.bound_s * (1 - 1e-9))
                << test::text_of(call) << alltold::text_of(candidate.choice);
        }
    }
    EXPECT_GT(checked, 200);
}

TEST(BelowBound, IsOfRatesAtTheUpperEndsOfTheirIntervals) {
    auto network = narrow_network();
    const Clusters clusters({20, 20});
    const auto bound_s = [&] {
        return collective_bound_s(Specification::of(Collective::alltoall, 40, 0, 65536), clusters,
                                  network);
    };
    const double known_s = bound_s();
    network.links->backbone->goodput_error = 1;
    EXPECT_NEAR(bound_s() / known_s, 0.5, 0.02) << "the backbone may carry twice as much";
}

} // namespace
} // namespace alltold
