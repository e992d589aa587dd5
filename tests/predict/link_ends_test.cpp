// SPDX-License-Identifier: BSD-3-Clause
// Intervals of what is simulated on links: rates, latencies, and whether connections were quiet.
#include <gtest/gtest.h>

#include "predict/predict_algorithm.hpp"

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

CallTime chain(const Network& network, const Clusters& clusters,
               Effort effort = {.corrected = false}) {
    return *predict_algorithm(network, **find_algorithm("bcast.chain"),
                              Specification::of(Collective::bcast, 2, 0, 100000), clusters, {},
                              **algorithm_model("links"), effort);
}

TEST(LinkEnds, HoldRatesAndLatencies) {
    const auto one = chain(network(0.25, 1), Clusters({2}));
    EXPECT_NEAR(one.time_s.value, 0.101, 1e-9);
    EXPECT_NEAR(one.time_s.low, 0.0805, 1e-9);
    EXPECT_NEAR(one.time_s.high, 0.127, 1e-9);
    const auto sure = chain(network(0, 0), Clusters({2}));
    EXPECT_EQ(sure.time_s.low, sure.time_s.value);
    EXPECT_EQ(sure.time_s.high, sure.time_s.value);
    // In a ranking all of the time is as uncertain as the rates.
    const auto ranked =
        chain(network(0.25, 1), Clusters({2}), {.estimate = true, .corrected = false});
    EXPECT_NEAR(ranked.time_s.low, 0.0808, 1e-9);
    EXPECT_NEAR(ranked.time_s.high, 0.12625, 1e-9);
}

TEST(LinkEnds, CoverTheModelsOwnErrorWhereNoCallWasMeasured) {
    const auto of_parameters = chain(network(0.01, 0.01), Clusters({2}));
    const auto wider = chain(network(0.01, 0.01), Clusters({2}), {});
    EXPECT_EQ(wider.time_s.value, of_parameters.time_s.value);
    EXPECT_GT(wider.time_s.high, 1.2 * wider.time_s.value) << "known to 1 %, modelled to 20";
    EXPECT_EQ(chain(network(0, 0), Clusters({2}), {}).time_s, Estimate::exact(wider.time_s.value))
        << "parameters without intervals are taken as given";
}

TEST(LinkEnds, CountTheHeadersOfSegmentsShorterThanAPacket) {
    auto on = network(0, 0);
    on.links->mss_bytes = 1448;
    const auto time_s = [&](std::uint64_t segment_bytes) {
        return predict_algorithm(on, **find_algorithm("bcast.chain_segmented"),
                                 Specification::of(Collective::bcast, 2, 0, 1400000), Clusters({2}),
                                 {segment_bytes}, **algorithm_model("links"))
            ->time_s.value;
    };
    // MPI's 48 bytes less.
    EXPECT_NEAR(time_s(2800) / time_s(1400), 1 - 48. / 2800, 0.005);
    // 114 bytes more for each 700.
    EXPECT_NEAR(time_s(700) / time_s(1400), (814. / 700) / (1514. / 1400), 0.01);
}

TEST(LinkEnds, HoldConnectionsThatWereUsedJustNow) {
    auto quiet = network(0, 0);
    quiet.links->initial_window_bytes = 40000;
    // 40,000 bytes, and after a round trip of 202 ms the other 60,000; at once 100 ms of bytes.
    const auto two = chain(quiet, Clusters({1, 1}));
    EXPECT_NEAR(two.time_s.value, 0.1 + 0.101, 1e-9);
    EXPECT_NEAR(two.time_s.low, two.time_s.value, 1e-9);
    EXPECT_NEAR(two.time_s.high, 0.202 + 0.06 + 0.101, 1e-9);
}

TEST(LinkEnds, TellWhatWaitsForWindows) {
    auto quiet = network(0, 0);
    quiet.links->initial_window_bytes = 40000;
    const auto share = [&](std::uint64_t size_bytes) {
        const Clusters clusters({1, 1});
        return predict_algorithm(quiet, **find_algorithm("bcast.chain"),
                                 Specification::of(Collective::bcast, 2, 0, size_bytes), clusters,
                                 {}, **algorithm_model("links"), {.corrected = false})
            ->modelled.window_share;
    };
    EXPECT_EQ(share(40000), 0);
    EXPECT_NEAR(share(100000), 1 - (0.1 + 0.101) / (0.202 + 0.06 + 0.101), 1e-9);
}

TEST(LinkEnds, TellWhatWaitsForWindowsAfterLosses) {
    auto lossy = network(0, 0);
    lossy.links->initial_window_bytes = 40000;
    lossy.links->port.queue_bytes = 30000;
    const auto share = [&](int far_hosts) {
        const Clusters clusters({1, far_hosts});
        return predict_algorithm(lossy, **find_algorithm("bcast.chain"),
                                 Specification::of(Collective::bcast, 1 + far_hosts, 0, 20000),
                                 clusters, {}, **algorithm_model("links"), {.corrected = false})
            ->modelled.window_share;
    };
    EXPECT_EQ(share(1), 0) << "one host's 20,000 bytes fit the queue";
    EXPECT_GT(share(20), 0) << "those of 20 do not";
    lossy.links->port.queue_bytes = 1e6;
    EXPECT_EQ(share(20), 0);
}

} // namespace
} // namespace alltold
