// SPDX-License-Identifier: BSD-3-Clause
// Measured calls against bounds, placement and the absence of time-outs.
#include "predict/bounds/plausibility.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "networks.hpp"
#include "predict/bounds/bounds.hpp"
#include "predict/choice/rank.hpp"
#include "random_calls.hpp"

namespace alltold {
namespace {

using namespace test;
using enum Collective;

constexpr std::uint64_t mebibyte = 1 << 20;

/// Ports of 6 MB/s by one pair, and 100 us.
Network slow_pairs() {
    Network network;
    HockneyFit fit;
    fit.alpha_s = fit.latency_s = Estimate::exact(100e-6);
    fit.beta_s_per_byte = Estimate::exact(1 / 6e6);
    network.local = fit;
    return network;
}

LibraryTime timed_call(Collective collective, int ranks, std::uint64_t size_bytes, double time_s,
                       std::string algorithm = "mpi") {
    return {collective, Clusters({ranks}), size_bytes, Estimate::exact(time_s),
            std::move(algorithm)};
}

CallTime bound_of(const Network& network, Collective collective, int ranks,
                  std::uint64_t size_bytes) {
    CallTime time;
    set_bound(time, Specification::of(collective, ranks, 0, size_bytes), Clusters({ranks}),
              network);
    return time;
}

TEST(Plausibility, WithoutTimesBelowThemBoundsAreNotDoubtful) {
    auto network = slow_pairs();
    network.library = {timed_call(gather, 8, mebibyte, 7. * mebibyte / 6e6),
                       timed_call(bcast, 8, 1, 99e-6)};
    EXPECT_FALSE(beaten_bounds(network, false));
    EXPECT_FALSE(bound_of(network, gather, 8, mebibyte).bound_doubtful());
}

TEST(Plausibility, ATimeBelowItsBoundMakesBoundsOfBytesDoubtful) {
    auto network = slow_pairs();
    network.library = {timed_call(gather, 8, mebibyte, 3.5 * mebibyte / 6e6, "x.rails"),
                       timed_call(gather, 4, mebibyte, 2. * mebibyte / 6e6, "x.rails"),
                       timed_call(bcast, 8, 64, 200e-6)};
    network.library.front().mean_of_ranks = true;
    network.plausibility.beaten = beaten_bounds(network, false);
    ASSERT_TRUE(network.plausibility.beaten);
    const auto bound = bound_of(network, gather, 8, mebibyte);
    EXPECT_TRUE(bound.bound_doubtful());
    EXPECT_LE(bound.certain_bound_s(), 3.5 * mebibyte / 6e6 * (1 + 1e-9));
    EXPECT_NEAR(bound.bound_s, 7. * mebibyte / 6e6 + 100e-6, 1e-9) << "as printed";
    EXPECT_TRUE(bound_of(network, bcast, 8, mebibyte).bound_doubtful()) << "of the same ports";
    EXPECT_FALSE(bound_of(network, bcast, 8, 1).bound_doubtful()) << "all latency";
    ASSERT_EQ(bound.caveats.size(), 1U);
    for (const char* reason : {"gather of 1 MiB on 8 was measured in", "rails", "one connection",
                               "several ranks may share a host", "placed", "means over the ranks"})
        EXPECT_NE(bound.caveats.front().find(reason), std::string::npos) << reason;
    // Times are not clamped to it.
    const auto grown =
        evaluate(network, gather, Clusters({6}), mebibyte, measured_choice("x.rails"));
    ASSERT_TRUE(grown) << grown.error().message;
    EXPECT_LT(grown->time_s.value, grown->bound_s);
}

TEST(Plausibility, ATimeBelowTheLatencyMakesBoundsOfShortCallsDoubtful) {
    auto network = slow_pairs();
    network.library = {timed_call(bcast, 8, 1, 20e-6)};
    network.plausibility.beaten = beaten_bounds(network, false);
    ASSERT_TRUE(network.plausibility.beaten);
    EXPECT_TRUE(bound_of(network, bcast, 8, 1).bound_doubtful());
    EXPECT_FALSE(bound_of(network, bcast, 8, mebibyte).bound_doubtful());
    EXPECT_FALSE(beaten_bounds(network, true)) << "latencies do not count in loops";
}

TEST(Plausibility, NothingMeasuredIsBelowWhatIsLeftOfItsBound) {
    Random random(66);
    int doubtful = 0;
    for (int i = 0; i < 200; ++i) {
        auto network = random_network(random);
        for (int j = 0; j < 5; ++j) {
            const auto drawn = random_call(random);
            const double bound_s = collective_bound_s(
                Specification::of(drawn.collective, drawn.clusters.ranks(), 0, drawn.size_bytes),
                drawn.clusters, network);
            network.library.push_back(
                {drawn.collective, drawn.clusters, drawn.size_bytes,
                 Estimate::exact(std::max(1e-6, bound_s * (0.1 + 2 * random.uniform())))});
        }
        network.plausibility.beaten = beaten_bounds(network, false);
        for (const auto& one : network.library) {
            CallTime time;
            set_bound(time,
                      Specification::of(one.collective, one.clusters.ranks(), 0, one.size_bytes),
                      one.clusters, network);
            doubtful += time.bound_doubtful();
            EXPECT_LE(time.certain_bound_s(), bounds_known * one.time_s.value * (1 + 1e-9));
            EXPECT_TRUE(time.bound_doubtful() || one.time_s.value * bounds_known >= time.bound_s);
        }
    }
    EXPECT_GT(doubtful, 100);
}

TEST(Plausibility, LongExchangesFarAboveTheirBoundsMayBeOfSeveralRanksPerHost) {
    auto network = slow_pairs();
    const auto exchange = [](std::uint64_t size_bytes, double times) {
        return timed_call(alltoall, 64, size_bytes,
                          times * 63 * static_cast<double>(size_bytes) / 6e6);
    };
    network.library = {exchange(1024, 9), exchange(65536, 15), exchange(mebibyte, 17)};
    network.plausibility.slow = slow_exchanges(network);
    ASSERT_TRUE(network.plausibility.slow);
    EXPECT_EQ(text_of(*network.plausibility.slow),
              "several ranks per host? alltoall of 1 MiB on 64 takes 17 times what one rank on "
              "each host needs; say how many share a host, such as 2x32");
    EXPECT_EQ(bound_of(network, alltoall, 16, mebibyte).caveats.size(), 1U);
    EXPECT_TRUE(bound_of(network, alltoall, 16, 1).caveats.empty()) << "all latency";
    network.library.push_back(exchange(4 * mebibyte, 2));
    EXPECT_FALSE(slow_exchanges(network)) << "one long one is quick";
}

PointSamples repeated(const char* collective, int ranks, std::uint64_t size_bytes,
                      std::vector<double> times_s) {
    PointSamples samples{{collective, "mpi", Clusters({ranks}), size_bytes}, {}};
    for (const double time_s : times_s)
        samples.samples.push_back({.value = time_s});
    return samples;
}

TEST(Plausibility, RepetitionsOfTwoKindsAreTimeOuts) {
    const std::vector points{repeated("alltoall", 8, 1024, {1e-3, 1.2e-3, 3e-3}),
                             repeated("alltoall", 8, 4096, {3.2e-3, 263e-3, 268e-3}),
                             repeated("alltoall", 8, 8192, {6e-3, 6e-3})};
    Network network = slow_pairs();
    auto& seen = network.plausibility.timed_out;
    seen = timed_out_calls(points);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->call.size_bytes, 4096U);
    EXPECT_DOUBLE_EQ(seen->free_bytes, 7 * 1024);
    EXPECT_EQ(text_of(*seen),
              "measured calls took time-outs of TCP, about 200 ms each: alltoall of 4 KiB on 8 up "
              "to 268 ms, without them about 3.2 ms; no call that brings more than 7 KiB into a "
              "port was seen free of them");
    EXPECT_TRUE(bound_of(network, alltoall, 8, 1024).caveats.empty());
    EXPECT_EQ(bound_of(network, alltoall, 8, 1025).caveats.size(), 1U);
    EXPECT_EQ(bound_of(network, gather, 9, 1024).caveats.size(), 1U);
    EXPECT_TRUE(bound_of(network, bcast, 8, mebibyte).caveats.empty()) << "nothing meets";
}

TEST(Plausibility, MeansThatStepUpAreTimeOuts) {
    // As Gigabit Ethernet did from 3 to 4 hosts.
    const auto seen = timed_out_calls(std::vector{repeated("alltoall", 2, 65536, {0.8e-3}),
                                                  repeated("alltoall", 3, 65536, {1.76e-3}),
                                                  repeated("alltoall", 4, 65536, {99.6e-3})});
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->call.clusters.ranks(), 4);
    EXPECT_DOUBLE_EQ(seen->free_bytes, 2 * 65536);
}

TEST(Plausibility, SlowCallsThatGrowAsTheirBytesAreNoTimeOuts) {
    EXPECT_FALSE(timed_out_calls(std::vector{
        repeated("alltoall", 4, 65536, {50e-3, 60e-3}),
        repeated("alltoall", 4, 262144, {220e-3, 350e-3}), repeated("alltoall", 8, 262144, {0.9}),
        // Without time-outs it would take 0.4 s, beside which one would not show.
        repeated("alltoall", 16, 262144, {8.}), repeated("bcast", 8, 1024, {1e-3, 0.3})}));
}

} // namespace
} // namespace alltold
