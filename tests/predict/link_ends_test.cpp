// SPDX-License-Identifier: BSD-3-Clause
// Intervals of what is simulated on links: rates, latencies, and whether connections were quiet.
#include <gtest/gtest.h>

#include "predict/algorithm_prediction.hpp"

namespace alltold {
namespace {

/// 1 MB/s and 1 ms within a cluster, 100 ms more between two.
Network network(double rate_error, double latency_error) {
    Network made;
    made.links = LinkNetwork{{1e6, 1e-3, 0}, Link{1e6, 0.1, 0}};
    made.links->rate_error = rate_error;
    made.links->latency_error = latency_error;
    return made;
}

Prediction chain(const Network& network, const Clusters& clusters, Effort effort = {}) {
    return predict_algorithm(network, **find_algorithm("bcast.chain"),
                             Specification::bcast(2, 0, 100000), clusters, {},
                             AlgorithmModel::links, effort)
        ->prediction;
}

TEST(LinkEnds, HoldRatesAndLatencies) {
    const auto one = chain(network(0.25, 1), Clusters({2}));
    EXPECT_NEAR(one.time_s, 0.101, 1e-9);
    EXPECT_NEAR(one.low_s, 0.0805, 1e-9);
    EXPECT_NEAR(one.high_s, 0.127, 1e-9);
    const auto sure = chain(network(0, 0), Clusters({2}));
    EXPECT_EQ(sure.low_s, sure.time_s);
    EXPECT_EQ(sure.high_s, sure.time_s);
    // In a ranking all of the time is as uncertain as the rates.
    const auto ranked = chain(network(0.25, 1), Clusters({2}), {.estimate = true});
    EXPECT_NEAR(ranked.low_s, 0.0808, 1e-9);
    EXPECT_NEAR(ranked.high_s, 0.12625, 1e-9);
}

TEST(LinkEnds, HoldConnectionsThatWereUsedJustNow) {
    auto quiet = network(0, 0);
    quiet.links->initial_window_bytes = 40000;
    // 40,000 bytes, and after a round trip of 202 ms the other 60,000; at once 100 ms of bytes.
    const auto two = chain(quiet, Clusters({1, 1}));
    EXPECT_NEAR(two.time_s, 0.202 + 0.06 + 0.101, 1e-9);
    EXPECT_NEAR(two.low_s, 0.1 + 0.101, 1e-9);
    EXPECT_NEAR(two.high_s, two.time_s, 1e-9);
}

} // namespace
} // namespace alltold
