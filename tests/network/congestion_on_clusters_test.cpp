// SPDX-License-Identifier: BSD-3-Clause
// On several clusters the models of one take part in the comparison by SMT equation 6.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "core/statistics.hpp"
#include "network/congestion/congestion_fit.hpp"
#include "network/congestion/congestion_prediction.hpp"
#include "network/cost_model.hpp"
#include "network/fitting.hpp"

namespace alltold {
namespace {

HockneyFit hockney(double alpha_s, double beta_s_per_byte) {
    HockneyFit fit;
    fit.alpha_s = Estimate::exact(alpha_s);
    fit.beta_s_per_byte = Estimate::exact(beta_s_per_byte);
    return fit;
}

Network joined() {
    Network network;
    network.local = hockney(1e-4, 2e-7);
    network.inter_cluster = hockney(5e-3, 3e-7);
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, Link{24e6, 10e-3, 262144}, 20e-6};
    SignatureFit signature;
    signature.network = network.local->model();
    signature.gamma = Estimate::exact(3);
    signature.delta_s = Estimate::exact(2e-3);
    signature.threshold_bytes = Estimate::exact(16384);
    network.alltoall = signature;
    return network;
}

/// Of the library, on two clusters of two to four.
std::vector<PointSamples> alltoalls() {
    const auto network = joined();
    Random random(1);
    std::vector<PointSamples> points;
    for (const int n : {2, 3, 4})
        for (const std::uint64_t size_bytes : {1024, 4096, 16384, 65536, 262144}) {
            const Clusters clusters({n, n});
            const auto call = congested_call(network, clusters, static_cast<double>(size_bytes));
            EXPECT_TRUE(call);
            auto& made =
                points.emplace_back(PointSamples{{"alltoall", "mpi", clusters, size_bytes}, {}});
            for (int i = 0; i < 6; ++i)
                made.samples.push_back(
                    {i, (20e-3 + 1.05 * call->wire_s) * (1 + 0.01 * random.normal()), false, 0});
        }
    return points;
}

void fit_congestion_of(Fitting& fitting) {
    for (const auto* model : cost_models())
        if (model->name == "congestion")
            model->fit(fitting);
}

/// SMT equation 6 with SMT07's equation 5 in each of two clusters of n.
double equation_6_s(int n, double m) {
    const double delta_s = m >= 16384 ? 2e-3 : 0;
    return (n - 1) * (1e-4 + 3 * 2e-7 * m + delta_s) + n * (5e-3 + 3e-7 * m);
}

TEST(CongestionOnClusters, IsComparedWithSmtEquation6OnTheSameCalls) {
    const auto points = alltoalls();
    Fitting fitting(points, Clusters({4, 4}));
    fitting.network = joined();
    fit_congestion_of(fitting);
    const auto& fit = fitting.network.congestion;
    ASSERT_TRUE(fit) << fitting.refused.front().reason;
    EXPECT_EQ(fit->models.front().name, "congestion");
    std::vector<double> errors;
    for (const auto& samples : points)
        errors.push_back(
            std::abs(equation_6_s(samples.point.clusters.size(0), samples.series().size_bytes) /
                         median(samples.series().times_s) -
                     1));
    const auto signature = std::ranges::find(fit->models, "signature", &ModelError::name);
    ASSERT_NE(signature, fit->models.end());
    EXPECT_NEAR(signature->leave_one_out, median(errors), 1e-9);
    EXPECT_NEAR(signature->leave_one_out_worst, std::ranges::max(errors), 1e-9);
    for (const auto* model : {"gamma", "linear", "clement"})
        EXPECT_NE(std::ranges::find(fit->models, model, &ModelError::name), fit->models.end())
            << model;
    ASSERT_EQ(fitting.notes.size(), 1U);
    EXPECT_EQ(fitting.notes[0].what, "models not compared with congestion");
    EXPECT_EQ(fitting.notes[0].text.find("slowdown, waves, latency, bm04: lacks "), 0U)
        << fitting.notes[0].text;
}

TEST(CongestionOnClusters, NoteNamesWhatHasNoSignature) {
    const auto points = alltoalls();
    Fitting fitting(points, Clusters({4, 4}));
    fitting.network = joined();
    fitting.network.alltoall.reset();
    fit_congestion_of(fitting);
    const auto& fit = fitting.network.congestion;
    ASSERT_TRUE(fit) << fitting.refused.front().reason;
    EXPECT_EQ(fit->models.size(), 3U) << "congestion, linear, clement";
    ASSERT_EQ(fitting.notes.size(), 1U);
    EXPECT_EQ(fitting.notes[0].text,
              "signature, gamma, slowdown, waves, latency, bm04: lacks an all-to-all signature");
}

TEST(CongestionOnClusters, IsRefusedWhereEquation6PredictsBetter) {
    auto points = alltoalls();
    for (auto& samples : points)
        for (auto& sample : samples.samples)
            sample.value = equation_6_s(samples.point.clusters.size(0),
                                        static_cast<double>(samples.point.size_bytes));
    Fitting fitting(points, Clusters({4, 4}));
    fitting.network = joined();
    fit_congestion_of(fitting);
    EXPECT_FALSE(fitting.network.congestion);
    ASSERT_EQ(fitting.refused.size(), 1U);
    EXPECT_EQ(
        fitting.refused[0].reason.find("model 'signature' predicts points of other n and m better"),
        0U)
        << fitting.refused[0].reason;
}

} // namespace
} // namespace alltold
