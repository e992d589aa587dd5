// SPDX-License-Identifier: BSD-3-Clause
// Predictions equal the papers' equations, their intervals the parameters' covariance carried
// through, and no prediction is below its bound.
#include "predict/library/library_prediction.hpp"

#include "network/congestion/congestion_prediction.hpp"
#include "network/half_duplex.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace alltold {
namespace {

HockneyFit hockney(double alpha_s, double beta_s_per_byte, double relative = 0) {
    HockneyFit fit;
    fit.alpha_s = {alpha_s, alpha_s * (1 - relative), alpha_s * (1 + relative)};
    fit.beta_s_per_byte = {beta_s_per_byte, beta_s_per_byte * (1 - relative),
                           beta_s_per_byte * (1 + relative)};
    return fit;
}

Network some_network() {
    Network network;
    network.local = hockney(1e-4, 2e-7, 0.01);
    network.inter_cluster = hockney(5e-3, 3e-7, 0.02);
    SignatureFit fit;
    fit.network = {1e-4, 2e-7};
    fit.gamma = {3, 2.8, 3.2};
    fit.delta_s = {2e-3, 1.5e-3, 2.5e-3};
    fit.threshold_bytes = Estimate::exact(8192);
    fit.covariance = {0.01, -2e-5, 6e-8};
    fit.residual_relative = 0.04;
    fit.reference_n = 10;
    fit.smallest_bytes = 1024;
    fit.largest_bytes = 1 << 20;
    fit.saturation = Saturation::saturated;
    network.alltoall = fit;
    return network;
}

CallTime predict(const Network& network, const char* clusters, double size_bytes,
                 const char* model) {
    const auto prediction =
        predict_alltoall(network, *Clusters::parse(clusters), size_bytes, **library_model(model));
    EXPECT_TRUE(prediction) << prediction.error().message;
    return *prediction;
}

TEST(AlltoallPrediction, models_are_the_equations) {
    const auto network = some_network();
    for (const double m : {0., 1024., 8191., 8192., 1e6}) {
        const double delta = m >= 8192 ? 2e-3 : 0;
        EXPECT_DOUBLE_EQ(predict(network, "7", m, "signature").time_s.value,
                         6 * (1e-4 + m * 2e-7 * 3 + delta));
        EXPECT_DOUBLE_EQ(predict(network, "7", m, "gamma").time_s.value, 6 * (1e-4 + m * 2e-7 * 3));
        EXPECT_DOUBLE_EQ(predict(network, "7", m, "linear").time_s.value, 6 * (1e-4 + m * 2e-7));
        EXPECT_DOUBLE_EQ(predict(network, "7", m, "clement").time_s.value, 1e-4 + 7 * m * 2e-7);
    }
    EXPECT_EQ(predict(network, "1", 1e6, "signature").time_s.value, 0);
}

TEST(AlltoallPrediction, intervals_carry_what_a_model_is_wrong_by) {
    auto network = some_network();
    const auto width = [&](const char* clusters, const char* model) {
        const auto time_s = predict(network, clusters, 1e6, model).time_s;
        return time_s.high / time_s.value;
    };
    const double known = width("7", "linear");
    network.alltoall->models = {{"signature", 0.01, 0.02}, {"linear", 0.4, 0.9}};
    EXPECT_NEAR(std::log(width("7", "linear")),
                std::hypot(std::log(known), 1.96 / 0.6745 * std::log(1.4)), 1e-3);
    // On several clusters the models are wrong by more.
    const double before = width("7+3", "linear");
    CongestionFit across;
    across.clusters = 2;
    across.models = {{"linear", 1.5, 6}};
    network.congestion = across;
    EXPECT_GT(width("7+3", "linear"), 2 * before);
    EXPECT_GT(width("7", "linear"), 2);
    EXPECT_LT(width("7", "linear"), before * 1.01) << "those of other calls do not count";
}

TEST(AlltoallPrediction, contention_that_still_grows_leaves_more_ranks_open) {
    auto network = some_network();
    const auto time_s = [&](const char* clusters) {
        return predict(network, clusters, 1e6, "signature").time_s;
    };
    const auto here = time_s("10"), beyond = time_s("40");
    network.alltoall->growth = 0.5;
    EXPECT_EQ(time_s("10"), here);
    EXPECT_EQ(time_s("40").value, beyond.value);
    EXPECT_NEAR(time_s("40").high, 2 * beyond.high, 1e-9) << "4 times the ranks";
}

TEST(AlltoallPrediction, papers_other_models_are_their_equations_by_name) {
    auto network = some_network();
    auto& fit = *network.alltoall;
    fit.papers = {{"gamma", {2.5, 2.4, 2.6}},
                  {"slowdown", Estimate::exact(1.5)},
                  {"buses", Estimate::exact(6)},
                  {"latency_s", Estimate::exact(3e-3)},
                  {"latency_from_bytes", Estimate::exact(8192)},
                  {"bm04_gamma", Estimate::exact(0.9)}};
    network.plogp = PLogP{Estimate::exact(3e-4), SizeCurve::line(1e-4, 2e-7),
                          SizeCurve::line(2e-5, 1e-8), SizeCurve::line(1e-5, 1e-7)};
    for (const double m : {0., 1024., 8191., 8192., 1e6}) {
        const double message_s = 1e-4 + m * 2e-7;
        const double lower_s = 6 * (2e-5 + 1e-8 * m + 1e-5 + 1e-7 * m) + 3e-4;
        const double upper_s = 6 * (message_s + 1e-5 + 1e-7 * m) + 3e-4;
        for (const auto& [model, expected_s] :
             {std::pair{"gamma", 6 * (1e-4 + m * 2e-7 * 2.5)},
              {"slowdown", 1.5 * 6 * message_s},
              {"waves", 7 * message_s}, // 42 messages over 6 buses
              {"latency", 6 * (message_s + (m >= 8192 ? 3e-3 : 0))},
              {"bm04", lower_s + 0.9 * (upper_s - lower_s)}}) {
            const auto prediction = predict(network, "7", m, model);
            EXPECT_EQ(prediction.model, model);
            EXPECT_NEAR(prediction.time_s.value, expected_s, 1e-12 * expected_s) << model << m;
        }
    }
    const auto predictable = [&](const char* model) {
        return bool(predict_alltoall(network, Clusters({7}), 1024, **library_model(model)));
    };
    network.alltoall->papers.erase("slowdown"); // a profile from before this model was there
    EXPECT_FALSE(predictable("slowdown"));
    EXPECT_TRUE(predictable("waves"));
    network.alltoall->papers.clear();
    for (const char* model : {"slowdown", "waves", "latency", "bm04"})
        EXPECT_FALSE(predictable(model)) << model;
}

TEST(AlltoallPrediction, interval_is_the_covariance_carried_through) {
    const auto network = some_network();
    for (const double m : {1024., 65536.}) {
        const auto at = [&](double gamma, double delta_s) {
            return alltoall_time_s({1e-4, 2e-7}, {gamma, delta_s, 8192}, 12, m);
        };
        const double by_gamma = at(4, 2e-3) - at(3, 2e-3); // linear in both: differences are exact
        const double by_delta = (at(3, 1) - at(3, 0));
        const double variance = by_gamma * by_gamma * 0.01 + 2 * by_gamma * by_delta * -2e-5 +
                                by_delta * by_delta * 6e-8 + std::pow(0.04 * at(3, 2e-3), 2);
        const auto prediction = predict(network, "12", m, "signature");
        EXPECT_NEAR(prediction.time_s.high - prediction.time_s.value,
                    1.959964 * std::sqrt(variance), 1e-6 * prediction.time_s.value);
        EXPECT_NEAR(prediction.time_s.value - prediction.time_s.low, 1.959964 * std::sqrt(variance),
                    1e-6 * prediction.time_s.value);
    }
    EXPECT_DOUBLE_EQ(predict(network, "3", 1e5, "linear").time_s.high, 2.02 * (1e-4 + 1e5 * 2e-7));
    EXPECT_DOUBLE_EQ(predict(network, "3", 1e5, "gamma").time_s.low, 2 * (1e-4 + 1e5 * 2e-7 * 2.8));
}

TEST(AlltoallPrediction, sizes_where_delta_is_in_doubt_have_it_in_their_interval) {
    auto network = some_network();
    const auto sure = predict(network, "10", 6000, "signature");
    network.alltoall->threshold_bytes = {8192, 4096, 8192};
    const auto doubtful = predict(network, "10", 6000, "signature");
    EXPECT_EQ(doubtful.time_s.value, sure.time_s.value);
    EXPECT_EQ(doubtful.time_s.low, sure.time_s.low);
    EXPECT_DOUBLE_EQ(doubtful.time_s.high, sure.time_s.high + 9 * 2.5e-3);
    EXPECT_EQ(doubtful.caveats.back(),
              "delta may apply at m = 6000 B: M is between 4 KiB and 8 KiB");
    EXPECT_TRUE(predict(network, "10", 4096, "signature").caveats.empty());
    EXPECT_TRUE(predict(network, "10", 8192, "signature").caveats.empty());
}

TEST(AlltoallPrediction, never_below_its_bounds) {
    EXPECT_TRUE(rc::check([] {
        auto network = some_network();
        const double gamma = 1 + *rc::gen::inRange(0, 500) / 100.;
        network.alltoall->gamma = {gamma, 0.9 * gamma, 1.1 * gamma};
        network.alltoall->delta_s.value = *rc::gen::inRange(0, 500) / 1e5;
        network.alltoall->residual_relative = *rc::gen::inRange(0, 900) / 1e3;
        const Clusters clusters(*rc::gen::container<std::vector<int>>(
            *rc::gen::inRange<std::size_t>(1, 3), rc::gen::inRange(1, 34)));
        const double m = *rc::gen::inRange(0, 1 << 20);
        for (const char* name : {"signature", "gamma", "linear"}) {
            const auto prediction = predict(network, clusters.text().c_str(), m, name);
            const double rounding = 1 + 1e-12;
            RC_ASSERT(prediction.time_s.low <= prediction.time_s.value);
            RC_ASSERT(prediction.time_s.value <= prediction.time_s.high);
            RC_ASSERT(prediction.time_s.low >= 0);
            RC_ASSERT(clusters.count() > 1 ||
                      (prediction.bound_s <= prediction.proposition_1_s * rounding &&
                       prediction.proposition_1_s <= prediction.time_s.value * rounding));
        }
    }));
}

TEST(AlltoallPrediction, clusters_are_smt_equation_6) {
    const auto network = some_network();
    const double m = 65536;
    const double local_s = 7 * (1e-4 + m * 2e-7 * 3 + 2e-3);
    const auto prediction = predict(network, "5+8", m, "signature");
    EXPECT_DOUBLE_EQ(prediction.time_s.value, local_s + 8 * (5e-3 + 3e-7 * m));
    EXPECT_LT(prediction.time_s.low, prediction.time_s.value);
    EXPECT_GE(prediction.bound_s, 12 * m * 2e-7);
    EXPECT_NE(prediction.caveats.back().find("no contention between the clusters"),
              std::string::npos);
    const auto three = predict(network, "4+5+8", m, "signature");
    EXPECT_DOUBLE_EQ(three.time_s.value, local_s + 13 * (5e-3 + 3e-7 * m));
}

/// Cluster 1 has gamma 5 where the first has 3, and no delta.
Network with_own_signatures() {
    auto network = some_network();
    auto own = *network.alltoall;
    own.network = {2e-4, 1e-7};
    own.gamma = Estimate::exact(5);
    own.delta_s = Estimate::exact(0);
    own.reference_n = 8;
    network.alltoall_of_clusters = {{1, own}};
    return network;
}

TEST(AlltoallPrediction, each_cluster_has_its_own_signature_in_smt_equations_6_and_7) {
    const auto network = with_own_signatures();
    const auto lg = *algorithm_model("smt");
    const auto first_s = [](int n, double m) { return (n - 1) * (1e-4 + m * 2e-7 * 3 + 2e-3); };
    const auto second_s = [](int n, double m) { return (n - 1) * (2e-4 + m * 1e-7 * 5); };
    const auto across_s = [](double bytes) { return 5e-3 + 3e-7 * bytes; };
    for (const double m : {16384., 1e6}) {
        const auto plain = [&](const char* clusters) {
            return predict(network, clusters, m, "signature").time_s.value;
        };
        const auto of_lg = [&](const Clusters& clusters) {
            return lg->algorithm(network, clusters, "alltoall.lg", m).value;
        };
        EXPECT_DOUBLE_EQ(plain("5+8"), second_s(8, m) + 8 * across_s(m));
        EXPECT_DOUBLE_EQ(plain("8+5"), first_s(8, m) + 8 * across_s(m));
        EXPECT_DOUBLE_EQ(of_lg(Clusters({5, 8})), second_s(8, m) + 2 * across_s(5 * m));
        EXPECT_DOUBLE_EQ(of_lg(Clusters({8, 5})), first_s(8, m) + 2 * across_s(5 * m));
        // The third has the first one's.
        EXPECT_DOUBLE_EQ(plain("4+9+9"), first_s(9, m) + 18 * across_s(m));
        EXPECT_DOUBLE_EQ(plain("4+9+3"), second_s(9, m) + 13 * across_s(m));
        EXPECT_DOUBLE_EQ(of_lg(Clusters({4, 9, 3})),
                         second_s(9, m) + 3 * across_s(4 * m) + 3 * across_s(3 * m));
    }
    EXPECT_EQ(predict(network, "8", 1e6, "gamma").time_s.value,
              predict(some_network(), "8", 1e6, "gamma").time_s.value);
    EXPECT_DOUBLE_EQ(predict(network, "2+8", 1e6, "gamma").time_s.value,
                     second_s(8, 1e6) + 8 * across_s(1e6));
}

TEST(AlltoallPrediction, caveats_name_the_cluster_whose_signature_they_are_about) {
    const auto caveats = predict(with_own_signatures(), "12+8+9", 65536, "signature").caveats;
    ASSERT_EQ(caveats.size(), 3U);
    EXPECT_EQ(caveats[0], "cluster 0: n = 12 is above n = 10, where it was fitted");
    EXPECT_EQ(caveats[1], "cluster 2 has the signature of cluster 0: its own was not measured");
}

TEST(AlltoallPrediction, after_a_barrier_takes_the_half_duplex_factor_where_nothing_was_measured) {
    auto network = some_network();
    network.eager_limit_bytes = Estimate::exact(10000);
    network.half_duplex = {{1.8, 1.5, 2.1}, 3};
    const auto after = network_after(network, StartMode::barrier);
    for (const char* clusters : {"7", "5+8"}) {
        const auto usual = predict(network, clusters, 65536, "linear");
        const auto slow = predict(after, clusters, 65536, "linear");
        EXPECT_DOUBLE_EQ(slow.time_s.value, 1.8 * usual.time_s.value);
        EXPECT_DOUBLE_EQ(slow.time_s.low, 1.5 * usual.time_s.low);
        EXPECT_DOUBLE_EQ(slow.time_s.high, 2.1 * usual.time_s.high);
        EXPECT_EQ(slow.caveats.size(), usual.caveats.size() + 1);
        EXPECT_NE(slow.caveats.front().find("1.80 times what the model says"), std::string::npos);
        EXPECT_DOUBLE_EQ(predict(after, clusters, 8192, "linear").time_s.value,
                         predict(network, clusters, 8192, "linear").time_s.value);
        const auto of_library =
            predict_library(after, Collective::alltoall, *Clusters::parse(clusters), 65536);
        ASSERT_TRUE(of_library);
        EXPECT_DOUBLE_EQ(of_library->time_s.value, slow.time_s.value);
    }
    // The correction of calls after a barrier is learned beside the same baseline.
    const Baseline linear{*library_model("linear")};
    EXPECT_DOUBLE_EQ(
        baseline_time(after, linear, Collective::alltoall, Clusters({7}), 65536)->time_s.value,
        1.8 * baseline_time(network, linear, Collective::alltoall, Clusters({7}), 65536)
                  ->time_s.value);
}

TEST(AlltoallPrediction, says_what_is_missing) {
    auto network = some_network();
    network.inter_cluster.reset();
    EXPECT_FALSE(predict_alltoall(network, Clusters({4, 4}), 1, **library_model("signature")));
    network.alltoall.reset();
    const auto signature =
        predict_alltoall(network, Clusters({4}), 1, **library_model("signature"));
    ASSERT_FALSE(signature);
    EXPECT_EQ(signature.error().message, "lacks an all-to-all signature, which model 'signature' "
                                         "needs; try --model linear");
    EXPECT_TRUE(predict_alltoall(network, Clusters({4}), 1, **library_model("linear")));
    network.local.reset();
    EXPECT_FALSE(predict_alltoall(network, Clusters({4}), 1, **library_model("linear")));
    const auto unknown = library_model("logp");
    ASSERT_FALSE(unknown);
    EXPECT_TRUE(unknown.error().message.starts_with(
        "unknown model 'logp' of the library's alltoall; use one of congestion, signature, "))
        << unknown.error().message;
}

TEST(AlltoallPrediction, says_how_far_it_reaches) {
    auto network = some_network();
    EXPECT_TRUE(predict(network, "10", 65536, "signature").caveats.empty());
    const auto caveats = [&](const char* n, double m) {
        return predict(network, n, m, "signature").caveats;
    };
    using Lines = std::vector<std::string>;
    EXPECT_EQ(caveats("11", 65536), Lines{"n = 11 is above n = 10, where it was fitted"});
    EXPECT_EQ(caveats("9", 65536),
              Lines{"n = 9 is below n = 10, where it was fitted: fewer ranks may contend less"});
    EXPECT_EQ(caveats("10", 64), Lines{"m = 64 B is outside the fitted range of 1 KiB to 1 MiB"});
    network.alltoall->saturation = Saturation::not_saturated;
    network.alltoall->saturation_reason = "gamma still grows with n";
    EXPECT_EQ(caveats("11", 65536).front(),
              "not saturated when fitted, so unreliable at other n: gamma still grows with n");
    EXPECT_TRUE(caveats("10", 65536).empty());
    network.assumed = "alpha";
    EXPECT_EQ(caveats("10", 65536), Lines{"assumed: alpha"});
}

Network congested_network() {
    auto network = some_network(); // 5 MB/s a port
    CongestionFit fit;
    fit.form = {false, true, false};
    fit.coefficients = {1e-3, 1.05, 0.7};
    fit.covariance.assign(3, std::vector<double>(3));
    fit.threshold_bytes = {65536, 49152, 65536};
    fit.spread[0] = fit.spread[1] = 0.02;
    fit.model_error[0] = fit.model_error[1] = 0.01;
    fit.buffer_bytes = 65536;
    fit.timeout_s = {0.2, 0.2, 0.3};
    fit.timeouts[0] = {0, 4000};
    fit.timeouts[1] = {6, 4000};
    fit.smallest_n = 4;
    fit.largest_n = 8;
    fit.smallest_bytes = 1024;
    fit.largest_bytes = 1 << 20;
    network.congestion = fit;
    return network;
}

TEST(CongestedAlltoall, is_its_equation_and_wide_where_time_outs_are) {
    const auto network = congested_network();
    const auto calm = predict(network, "8", 8192, "congestion");
    EXPECT_NEAR(calm.time_s.value, 1e-3 + 1.05 * 7 * 8192 * 2e-7, 1e-5);
    EXPECT_LT(calm.time_s.high, 1.06 * calm.time_s.value) << "all fits into the buffer";
    const auto slow = predict(network, "8", 65536, "congestion");
    EXPECT_GT(slow.time_s.value, 1e-3 + 1.75 * 7 * 65536 * 2e-7);
    EXPECT_GT(slow.time_s.high, slow.time_s.value + 0.1) << "one call in ten meets a time-out";
    EXPECT_GT(slow.time_s.low, 0.9 * slow.time_s.value);
    EXPECT_TRUE(slow.caveats.empty());
}

TEST(CongestedAlltoall, says_how_far_it_reaches) {
    auto network = congested_network();
    const auto doubtful = predict(network, "12", 60000, "congestion");
    ASSERT_EQ(doubtful.caveats.size(), 2U);
    EXPECT_EQ(doubtful.caveats[0], "fitted from n = 4 to 8");
    EXPECT_NE(doubtful.caveats[1].find("begins between 48 KiB and 64 KiB"), std::string::npos);
    EXPECT_GT(doubtful.time_s.high, 1.6 * doubtful.time_s.value) << "it may be slowed down";
    auto fit = *network.congestion;
    fit.buffer_bytes = 0;
    fit.timeouts[1].seen = 0;
    network.congestion = fit;
    const auto blind = predict(network, "8", 8192, "congestion");
    ASSERT_EQ(blind.caveats.size(), 2U);
    EXPECT_NE(blind.caveats[0].find("no retransmission time-out was observed"), std::string::npos);
    EXPECT_NE(blind.caveats[1].find("the switch buffer is unknown"), std::string::npos);
}

TEST(CongestedAlltoall, is_refused_without_a_fit_and_for_other_numbers_of_clusters) {
    const auto refused = [](const Network& network, const char* clusters) {
        return predict_alltoall(network, *Clusters::parse(clusters), 1024,
                                **library_model("congestion"))
            .error()
            .message;
    };
    EXPECT_NE(refused(some_network(), "8").find("lacks a model of congestion"), std::string::npos);
    EXPECT_NE(refused(congested_network(), "4+4").find("is for 1 cluster(s), and 4+4 are 2"),
              std::string::npos);
}

TEST(CongestedAlltoall, takes_a_backbone_for_a_limit_only_where_it_was_full) {
    auto network = congested_network();
    network.links = LinkNetwork{
        .port = {5e6, 0, 65536}, .backbone = Link{10e6, 1e-2, 0}, .carried = {{2, 10e6}}};
    const auto clusters = *Clusters::parse("6+6");
    EXPECT_DOUBLE_EQ(congested_call(network, clusters, 65536)->wire_s, 11 * 65536 / 5e6);
    network.links->carried.push_back({4, 10e6});
    EXPECT_DOUBLE_EQ(congested_call(network, clusters, 65536)->wire_s, 36 * 65536 / 10e6 + 1e-2);
}

} // namespace
} // namespace alltold
