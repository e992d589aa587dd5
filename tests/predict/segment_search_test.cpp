// SPDX-License-Identifier: BSD-3-Clause
// The search finds the optimum of unimodal costs and is never worse than any m / 2^i.
#include "predict/parameters/segment_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "predict/forms/data_movement_forms.hpp"
#include "predict/parameters/resolve.hpp"

namespace alltold {
namespace {

TEST(SegmentSearch, finds_the_optimum_of_unimodal_costs) {
    EXPECT_TRUE(rc::check([] {
        const auto m = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
        const auto best = *rc::gen::inRange<std::uint64_t>(1, m + 1);
        const double left = *rc::gen::inRange(1, 100), right = *rc::gen::inRange(1, 100);
        const auto cost = [&](std::uint64_t s) {
            return s < best ? left * std::log2(static_cast<double>(best) / static_cast<double>(s))
                            : right * static_cast<double>(s - best);
        };
        RC_ASSERT(search_segment(m, cost).segment_bytes == best);
    }));
}

TEST(SegmentSearch, is_never_worse_than_halving_and_asks_little) {
    EXPECT_TRUE(rc::check([] {
        const auto m = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
        std::map<std::uint64_t, int> known;
        int calls = 0;
        const auto cost = [&](std::uint64_t s) {
            ++calls;
            RC_ASSERT(s >= 1 && s <= m);
            if (!known.count(s))
                known[s] = *rc::gen::inRange(0, 1000000);
            return known[s];
        };
        const auto found = search_segment(m, cost);
        RC_ASSERT(calls <= 7 * std::log2(static_cast<double>(m)) + 8);
        RC_ASSERT(found.time_s == known.at(found.segment_bytes));
        for (auto s = m; s >= 1; s /= 2)
            RC_ASSERT(found.time_s <= known.at(s));
    }));
}

TEST(SegmentSearch, downhill_ends_at_the_best_of_its_grid_in_few_calls) {
    EXPECT_TRUE(rc::check([] {
        const int doublings = *rc::gen::inRange(11, 24);
        const auto m = std::uint64_t{1} << doublings;
        const int best = *rc::gen::inRange(0, doublings - 10), start = *rc::gen::inRange(0, 10);
        int calls = 0;
        const auto cost = [&](std::uint64_t s) {
            ++calls;
            RC_ASSERT(s >= 1 && s <= m);
            const double octaves = std::log2(static_cast<double>(m) / static_cast<double>(s));
            return std::abs(octaves - best);
        };
        const auto found = descend_segment(m, m >> start, cost, 1400, 1400);
        const auto octaves =
            std::log2(static_cast<double>(m) / static_cast<double>(found.segment_bytes));
        // Whole packets: 2048 bytes are one of them, half an octave off.
        RC_ASSERT(std::abs(octaves - best) <= 0.6);
        RC_ASSERT(calls <= std::abs(best - start) + 4);
    }));
}

TEST(SegmentSearch, downhill_tries_the_least_segment_of_short_messages) {
    const auto cost = [](std::uint64_t s) { return static_cast<double>(s); };
    for (const std::uint64_t m : {1400, 2000, 2700, 5000})
        EXPECT_EQ(descend_segment(m, m, cost, 1400, 1400).segment_bytes, 1400U) << m;
}

TEST(SegmentSearch, downhill_tries_the_whole_message) {
    const auto cost = [](std::uint64_t s) { return -static_cast<double>(s); };
    for (const std::uint64_t m : {1500, 2000, 2700, 5000})
        for (const std::uint64_t start : {m, std::uint64_t{1400}})
            EXPECT_EQ(descend_segment(m, start, cost, 1400, 1400).segment_bytes, m) << m;
}

TEST(SegmentSearch, of_the_pipeline_meets_its_calculus) {
    // (P-1)(a + b s + L) + (a + b s)(m/s - 1) is least at s = sqrt(a m / (b (P-2))): with a = 20
    // us, b = 160 ns/B, m = 1 MiB, P = 12 that is 3620 bytes; whole segments move it a little.
    const PLogP network{Estimate::exact(1e-4), SizeCurve::line(2e-5, 1.6e-7), {}, {}};
    const auto cost = [&](std::uint64_t s) {
        return bcast::chain_segmented_s(network, {12, 1 << 20, static_cast<double>(s)});
    };
    const auto found = search_segment(1 << 20, cost);
    EXPECT_NEAR(static_cast<double>(found.segment_bytes), 3620, 181) << "flat to 5 %";
    double least_s = cost(1);
    for (std::uint64_t s = 2; s <= 1 << 20; ++s)
        least_s = std::min(least_s, cost(s));
    EXPECT_LE(found.time_s, 1.0005 * least_s);
}

TEST(SegmentSearch, fills_packets) {
    EXPECT_EQ(in_units(1, 1400), 1400U);
    EXPECT_EQ(in_units(1, 1), 1U);
    EXPECT_EQ(in_units(1024, 1400), 1400U);
    EXPECT_EQ(in_units(2048, 1400), 1400U);
    EXPECT_EQ(in_units(4096, 1400), 4200U);
    EXPECT_EQ(in_units(8192, 1400), 8400U);
    EXPECT_EQ(in_units(8192, 8900), 8900U);
}

TEST(SegmentSearch, takes_powers_of_two_of_units) {
    EXPECT_EQ(in_doubled_units(1, 700), 700U);
    EXPECT_EQ(in_doubled_units(1500, 700), 1400U);
    EXPECT_EQ(in_doubled_units(3 * 700, 700), 2800U);
}

TEST(SegmentSearch, halves_packets_of_short_messages_where_headers_count) {
    Network network;
    EXPECT_EQ(segment_unit_bytes(network, 1), 1400U) << "headers are not known";
    network.links.emplace(LinkNetwork{{6e6, 100e-6, 65536}, {}}).mss_bytes = 1448;
    EXPECT_EQ(segment_unit_bytes(network, 1), 700U);
    EXPECT_EQ(segment_unit_bytes(network, 4 * 1400), 700U);
    EXPECT_EQ(segment_unit_bytes(network, 4 * 1400 + 1), 1400U);
}

TEST(WholePackets, AreThoseOfTheNetwork) {
    Network network;
    EXPECT_EQ(packet_payload_bytes(network), 1400U);
    auto& cluster = network.cluster.emplace();
    EXPECT_EQ(packet_payload_bytes(network), 1400U) << "packets not known";
    cluster.g_s = SizeCurve({{0, 1e-6}, {65536, 1e-3}});
    cluster.packet_bytes = 1514; // as floods measure them: whole frames
    EXPECT_EQ(packet_payload_bytes(network), 1400U);
    cluster.packet_bytes = 9014;
    EXPECT_EQ(packet_payload_bytes(network), 8900U);
    auto& links = network.links.emplace(LinkNetwork{{6e6, 100e-6, 65536}, {}});
    EXPECT_EQ(packet_payload_bytes(network), 8900U) << "TCP's segments not known";
    links.mss_bytes = 1448;
    EXPECT_EQ(packet_payload_bytes(network), 1400U) << "as TCP says";
    links.mss_bytes = 1360; // in a tunnel
    EXPECT_EQ(packet_payload_bytes(network), 1312U);
    links.mss_bytes = 8948;
    EXPECT_EQ(packet_payload_bytes(network), 8900U);
    cluster.g_s = SizeCurve({{0, 1e-6}, {1500, 1e-3}}); // TW99: parameters of packets
    cluster.packet_bytes = 1500;
    EXPECT_EQ(packet_payload_bytes(network), 1500U);
    cluster.g_s = SizeCurve({{0, 1e-6}, {256, 2e-4}});
    cluster.packet_bytes = 256;
    const CollectiveCall call{Collective::alltoall, Clusters({12}), 65536};
    const auto paced =
        resolve(call, &network, {.choice = Choice{*find_algorithm("alltoall.paced")}});
    EXPECT_EQ(paced->parameters.segment_bytes, 11U * 256U);
}

TEST(WholePackets, AreTheLeastSegmentsOfAPipeline) {
    Network network;
    network.links = LinkNetwork{{6e6, 20e-6, 1 << 20}, {}};
    network.links->start_up_s = 1e-7;
    const CollectiveCall call{Collective::bcast, Clusters({12}), 1 << 20};
    for (const auto& [mss_bytes, payload_bytes] :
         {std::pair{0, 1400U}, std::pair{1448, 1400U}, std::pair{8948, 8900U}}) {
        network.links->mss_bytes = mss_bytes;
        const auto resolved =
            resolve(call, &network, {.choice = Choice{*find_algorithm("bcast.chain_segmented")}});
        ASSERT_TRUE(resolved);
        const auto segment_bytes = resolved->parameters.segment_bytes;
        EXPECT_TRUE(segment_bytes == payload_bytes / 2 || segment_bytes % payload_bytes == 0)
            << segment_bytes << " of packets with " << payload_bytes;
        EXPECT_LT(segment_bytes, 10000U) << "start-ups cost next to nothing";
    }
}

} // namespace
} // namespace alltold
