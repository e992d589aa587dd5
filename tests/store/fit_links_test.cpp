// SPDX-License-Identifier: BSD-3-Clause
// Links and the cluster model come back from samples made of known ones.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "store/fit_campaign.hpp"
#include "store/profile_json.hpp"

namespace alltold {
namespace {

constexpr double port = 2.39e6;
constexpr double backbone = 9.56e6;
constexpr double packet_bytes = 1514;
constexpr std::uint64_t ki = 1024;

/// Two clusters of six hosts, measured with 1 % of noise.
class FitLinks : public testing::Test {
  protected:
    void add(const Point& point, double value, double noise = 0.01) {
        PointSamples samples{point, {{0, 100 * value, true, 0}}};
        for (int i = 1; i <= 8; ++i)
            samples.samples.push_back({i, value * (1 + noise * random_.normal()), false, 0});
        points_.push_back(std::move(samples));
    }

    void add_trains() {
        for (const auto size : {ki / 4, ki, 4 * ki, 16 * ki, 64 * ki})
            for (const int count : {2, 4, 8})
                add({"train", "mpi", Clusters({2}), size, 0, 1, count},
                    1e-3 + static_cast<double>(size) * count / port);
    }

    /// Floods that fill a queue of so many packets; none overflow a queue of 0.
    void add_flood(const Clusters& clusters, int first, int second, double bytes_per_s,
                   double packets) {
        add({"flood_gap", "udp", clusters, 1472, first, second}, 1448 / bytes_per_s);
        add({"flood_queue", "udp", clusters, 1472, first, second}, packets);
    }

    void add_backbone() {
        for (const std::uint64_t size : {std::uint64_t{1}, 4 * ki, 16 * ki, 64 * ki}) {
            const double m = static_cast<double>(size);
            add({"pingpong", "mpi", Clusters({2}), size, 0, 1}, 50e-6 + m / port);
            add({"pingpong", "mpi", Clusters({1, 1}), size, 0, 6}, 10.05e-3 + m / port);
        }
        for (const int flows : {1, 2, 4, 6})
            for (const int count : {4, 16})
                add({"flows", "mpi", Clusters({flows, flows}), 64 * ki, -1, -1, count},
                    20e-3 + 65536. * count * flows / std::min(flows * port, backbone), 0.001);
    }

    Profile fitted() const {
        Provenance here;
        here.clusters = Clusters({6, 6});
        return fit_points(points_, here, {.name = "x", .source = "y"});
    }

    /// Of three hosts, each in its own cluster: two exchange bytes at this rate, and floods show a
    /// queue of so many packets, or none.
    Profile of_single_hosts(double bytes_per_s, double queue_packets) {
        add({"pingpong", "mpi", Clusters({1, 1}), 1, 0, 1}, 10e-3, 0);
        add({"pingpong", "mpi", Clusters({1, 1}), 1024, 0, 1}, 10e-3 + 1024 / bytes_per_s, 0);
        add_flood(Clusters({1, 1}), 0, 1, bytes_per_s, queue_packets);
        Provenance here;
        here.clusters = Clusters({1, 1, 1});
        return fit_points(points_, here, {.name = "x", .source = "y"});
    }

    static std::string refused(const Profile& profile, const std::string& what) {
        for (const auto& refusal : profile.refused)
            if (refusal.what == what)
                return refusal.reason;
        return "not refused";
    }

    static std::string noted(const Profile& profile, const std::string& what) {
        for (const auto& note : profile.notes)
            if (note.what == what)
                return note.text;
        return "not noted";
    }

    Random random_{1};
    std::vector<PointSamples> points_;
};

} // namespace

TEST_F(FitLinks, PortsQueuesAndBackboneComeBack) {
    add_trains();
    add_backbone();
    add_flood(Clusters({6}), 0, -1, port, 43);
    add_flood(Clusters({6, 6}), 0, 6, backbone, 173);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links);
    const auto& links = *profile.network.links;
    EXPECT_NEAR(links.port.goodput_bytes_per_s, port, 0.02 * port);
    EXPECT_NEAR(links.port.latency_s, 50e-6, 2e-6);
    EXPECT_NEAR(links.port.queue_bytes, 43 * packet_bytes, 2 * packet_bytes);
    ASSERT_TRUE(links.backbone);
    EXPECT_NEAR(links.backbone->goodput_bytes_per_s, backbone, 0.03 * backbone);
    EXPECT_NEAR(links.backbone->latency_s, 10e-3, 0.2e-3);
    EXPECT_NEAR(links.backbone->queue_bytes, 173 * packet_bytes, 4 * packet_bytes);
    ASSERT_EQ(links.carried.size(), 4U);
    EXPECT_EQ(links.carried[0].flows, 1);
    EXPECT_NEAR(links.carried[0].goodput_bytes_per_s, port, 0.02 * port);
    EXPECT_NEAR(links.carried[3].goodput_bytes_per_s, backbone, 0.02 * backbone);
}

TEST_F(FitLinks, QuickPairsTellTheDelayWhereAPingPongWasSlow) {
    add_trains();
    add_backbone();
    const auto delay_s = [&] { return fitted().network.links->backbone->latency_s; };
    for (auto& samples : points_)
        if (samples.point.probe == "pingpong" && samples.point.clusters == Clusters({2}))
            for (auto& sample : samples.samples)
                sample.value += 100e-6;
    EXPECT_LT(delay_s(), 9.95e-3);
    for (int a = 0; a < 6; ++a)
        for (int b = a + 1; b < 6; ++b)
            add({"latency", "mpi", Clusters({2}), 1, a, b}, a == 0 ? 90e-6 : 50e-6);
    EXPECT_NEAR(delay_s(), 10e-3, 0.05e-3);
}

TEST_F(FitLinks, LatenciesThatDifferLittleAreOne) {
    add_trains();
    const auto across = [&](int a, int b, double delay_s) {
        add({"flood_gap", "udp", Clusters({4, 4}), 1472, 4 * a, 4 * b}, 1448 / backbone);
        add({"pingpong", "mpi", Clusters({1, 1}), 1, 4 * a, 4 * b}, 50e-6 + delay_s, 0);
    };
    add({"pingpong", "mpi", Clusters({2}), 1, 0, 1}, 50e-6, 0);
    across(0, 1, 10e-3);
    across(1, 2, 10e-3);
    across(0, 2, 11.5e-3); // a processor was busy
    Provenance here;
    here.clusters = Clusters({4, 4, 4});
    const auto profile = fit_points(points_, here, {.name = "x", .source = "y"});
    ASSERT_TRUE(profile.network.links && profile.network.links->backbone);
    const auto& path = *profile.network.links->backbone;
    EXPECT_NEAR(path.latency_s, 10e-3, 0.05e-3);
    EXPECT_GE(path.latency_error, 0.14) << "the third may be right";
    EXPECT_EQ(noted(profile, "backbone latency").find("differ"), std::string::npos);
}

TEST_F(FitLinks, PacketsHaveTheSizeThatSocketsTold) {
    add_trains();
    add_backbone();
    const auto before = fitted();
    ASSERT_TRUE(before.network.links);
    EXPECT_EQ(before.network.links->mss_bytes, 1448) << "Ethernet's";
    EXPECT_EQ(before.network.links->initial_window_bytes, 10 * 1448);
    add({"packet", "mpi", Clusters({2}), 32 * ki, 0, 1}, 8948, 0);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links);
    EXPECT_EQ(profile.network.links->mss_bytes, 8948);
    EXPECT_EQ(profile.network.links->initial_window_bytes, 10 * 8948);
    const auto read = profile_from_json(profile_to_json(profile).dump(), "a.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->network.links->mss_bytes, 8948);
}

TEST_F(FitLinks, WithoutTcpThePacketsAreEthernets) {
    add_trains();
    add({"packet", "mpi", Clusters({2}), 32 * ki, 0, 1}, 0, 0);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links);
    EXPECT_EQ(profile.network.links->mss_bytes, 1448);
    EXPECT_EQ(profile.network.links->full_segment_bytes(), 1448);
}

TEST_F(FitLinks, FloodsTellWhatTcpsLargerPacketsCarry) {
    const double wire = 125e6; // of frames
    add({"flood_gap", "udp", Clusters({4}), 1472, 0, -1}, 1514 / wire);
    add({"packet", "mpi", Clusters({2}), 32 * ki, 0, 1}, 8948, 0);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links);
    EXPECT_NEAR(profile.network.links->port.goodput_bytes_per_s, wire * 8948 / 9014, 0.01 * wire);
}

TEST_F(FitLinks, WithoutFloodsQueuesAreNotKnownAndFlowsGiveTheBackbone) {
    add_trains();
    add_backbone();
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links);
    EXPECT_EQ(profile.network.links->port.queue_bytes, 0);
    EXPECT_NE(refused(profile, "switch buffer").find("no floods"), std::string::npos);
    ASSERT_TRUE(profile.network.links->backbone);
    EXPECT_EQ(profile.network.links->backbone->queue_bytes, 0);
    EXPECT_NEAR(profile.network.links->backbone->goodput_bytes_per_s, backbone, 0.02 * backbone);
    EXPECT_EQ(noted(profile, "backbone rate"), "not noted");
}

TEST_F(FitLinks, FloodsGiveThePathOfEachPairAndTheWorst) {
    add_trains();
    add_flood(Clusters({4}), 0, -1, port, 43);
    add_flood(Clusters({4}), 4, -1, port, 43);
    const auto across = [&](int a, int b, double rate, double packets, double delay_s) {
        add_flood(Clusters({4, 4}), 4 * a, 4 * b, rate, packets);
        add({"pingpong", "mpi", Clusters({1, 1}), 1, 4 * a, 4 * b}, 50e-6 + 100e-7 + delay_s, 0);
        add({"pingpong", "mpi", Clusters({1, 1}), 1024, 4 * a, 4 * b},
            50e-6 + 1124e-7 + 1024 / port + delay_s, 0);
    };
    add({"pingpong", "mpi", Clusters({2}), 1, 0, 1}, 50e-6, 0);
    add({"pingpong", "mpi", Clusters({2}), 1024, 0, 1}, 50e-6 + 1024 / port, 0);
    across(0, 1, backbone, 173, 10e-3);
    across(1, 2, backbone, 173, 10e-3);
    across(0, 2, backbone / 2, 100, 20e-3);
    Provenance here;
    here.clusters = Clusters({4, 4, 4});
    const auto profile = fit_points(points_, here, {.name = "x", .source = "y"});
    ASSERT_TRUE(profile.network.links);
    const auto& links = *profile.network.links;
    EXPECT_NEAR(links.port.queue_bytes, 43 * packet_bytes, packet_bytes);
    EXPECT_GT(links.port.queue_error, 0);
    ASSERT_TRUE(links.backbone);
    EXPECT_NEAR(links.backbone->goodput_bytes_per_s, backbone / 2, 0.02 * backbone);
    EXPECT_LT(links.rate_error, 0.1) << "the others have their own";
    ASSERT_EQ(links.paths.size(), 3U);
    EXPECT_EQ(links.of_clusters, Clusters({4, 4, 4}));
    EXPECT_NEAR(links.path(0, 1).goodput_bytes_per_s, backbone, 0.02 * backbone);
    EXPECT_NEAR(links.path(2, 0).goodput_bytes_per_s, backbone / 2, 0.02 * backbone);
    EXPECT_NEAR(links.path(1, 2).queue_bytes, 173 * packet_bytes, 3 * packet_bytes);
    EXPECT_NEAR(links.path(0, 2).queue_bytes, 100 * packet_bytes, 3 * packet_bytes);
    EXPECT_NEAR(links.path(0, 1).latency_s, 10e-3, 20e-6);
    EXPECT_TRUE(links.ports.empty());
    EXPECT_NEAR(links.backbone->queue_bytes, 100 * packet_bytes, 3 * packet_bytes);
    EXPECT_NEAR(links.backbone->latency_s, 20e-3, 20e-6) << "less a frame's time on the wire";
    EXPECT_FALSE(links.backbone->at_least);
    EXPECT_NE(noted(profile, "backbone rate").find("clusters 0 and 2"), std::string::npos);
    EXPECT_EQ(refused(profile, "backbone rate"), "not refused");
    EXPECT_NE(noted(profile, "backbone latency").find("differ"), std::string::npos);
}

/// Two clusters of six hosts, of which the second's ports carry `slower` times as little.
class FitTwoPorts : public FitLinks {
  protected:
    void add_clusters(double slower, double packets, double noise = 0.01) {
        for (const int first : {0, 6}) {
            const double rate = first > 0 ? port / slower : port;
            for (const int count : {2, 4, 8})
                add({"train", "mpi", Clusters({2}), 64 * ki, first, first + 1, count},
                    1e-3 + 65536. * count / rate, noise);
            for (const std::uint64_t size : {std::uint64_t{1}, 4 * ki, 16 * ki, 64 * ki})
                add({"pingpong", "mpi", Clusters({2}), size, first, first + 1},
                    50e-6 + static_cast<double>(size) / rate, noise);
            add_flood(Clusters({4}), first, -1, rate, first > 0 ? packets : 43);
        }
        add({"pingpong", "mpi", Clusters({1, 1}), 1, 0, 6}, 10.05e-3);
        for (const int first : {0, 6})
            for (const double m : {1024., 4096., 16384., 65536.}) {
                const double rate = first > 0 ? port / slower : port;
                const auto probe = first > 0 ? "within:alltoall" : "alltoall";
                add({probe, "mpi", Clusters({6}), static_cast<std::uint64_t>(m), first > 0 ? 6 : -1,
                     first > 0 ? 11 : -1},
                    5 * (50e-6 + 1.5 * m / rate), noise);
            }
    }
};

TEST_F(FitTwoPorts, EachClusterHasItsRateAndItsBuffer) {
    add_clusters(2.5, 21);
    add_flood(Clusters({6, 6}), 0, 6, 6 * port / 2.5, 6 * 21);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links);
    const auto& links = *profile.network.links;
    ASSERT_EQ(links.ports.size(), 2U);
    EXPECT_EQ(links.of_clusters, Clusters({6, 6}));
    EXPECT_NEAR(links.ports[0].goodput_bytes_per_s, port, 0.02 * port);
    EXPECT_NEAR(links.ports[1].goodput_bytes_per_s, port / 2.5, 0.02 * port / 2.5);
    EXPECT_NEAR(links.ports[0].queue_bytes, 43 * packet_bytes, packet_bytes);
    EXPECT_NEAR(links.ports[1].queue_bytes, 21 * packet_bytes, packet_bytes);
    EXPECT_EQ(links.port.goodput_bytes_per_s, links.ports[1].goodput_bytes_per_s);
    EXPECT_EQ(links.port.queue_bytes, links.ports[1].queue_bytes);
    EXPECT_LT(links.rate_error, 0.1) << "each is known well";
    EXPECT_NEAR(1 / profile.network.local->beta_s_per_byte.value, port / 2.5, 0.05 * port);
    // The flood filled the slow receivers' ports, and not the path.
    ASSERT_TRUE(links.backbone);
    EXPECT_TRUE(links.backbone->at_least);
    EXPECT_EQ(links.backbone->queue_bytes, 0);
    // T_C1 and T_C2 have each their own alpha, beta and gamma.
    ASSERT_TRUE(profile.network.alltoall);
    EXPECT_NEAR(1 / profile.network.alltoall->network.beta_s_per_byte, port, 0.05 * port);
    ASSERT_EQ(profile.network.alltoall_of_clusters.size(), 1U);
    const auto& second = profile.network.alltoall_of_clusters.at(1);
    EXPECT_NEAR(1 / second.network.beta_s_per_byte, port / 2.5, 0.05 * port / 2.5);
    EXPECT_NEAR(second.gamma.value, 1.5, 0.15);
    EXPECT_NEAR(profile.network.alltoall->gamma.value, 1.5, 0.15);
    const auto read = profile_from_json(profile_to_json(profile).dump(), "a.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->network.links->ports, links.ports);
    EXPECT_EQ(read->network.links->of_clusters, links.of_clusters);
}

TEST_F(FitTwoPorts, AClusterThatIsNotFloodedHasThePingPongsRateOrAnyOfTheOthers) {
    add_clusters(2.5, 43);
    Provenance here;
    here.clusters = Clusters({6, 6, 2});
    const auto third = [&] {
        const auto links = *fit_points(points_, here, {.name = "x", .source = "y"}).network.links;
        EXPECT_EQ(links.ports.size(), 3U);
        return links.port_of(2);
    };
    EXPECT_NEAR(third().goodput_bytes_per_s, port / 2.5, 0.02 * port);
    EXPECT_NEAR(third().goodput_error, 1.5, 0.1);
    for (const std::uint64_t size : {std::uint64_t{1}, 4 * ki, 16 * ki, 64 * ki})
        add({"pingpong", "mpi", Clusters({2}), size, 12, 13},
            50e-6 + static_cast<double>(size) * 1.5 / port);
    EXPECT_NEAR(third().goodput_bytes_per_s, port / 1.5, 0.05 * port);
    EXPECT_LT(third().goodput_error, 0.2);
}

TEST_F(FitTwoPorts, EqualOnesAreOneAndTheProfileSaysNoMore) {
    add_clusters(1, 43);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links);
    EXPECT_TRUE(profile.network.links->ports.empty());
    EXPECT_FALSE(profile.network.links->of_clusters);
    const auto text = profile_to_json(profile).dump();
    EXPECT_EQ(text.find("ports_of_clusters"), std::string::npos);
    EXPECT_EQ(text.find("backbone_of_pairs"), std::string::npos);
}

TEST_F(FitTwoPorts, IntervalsDecideAndNotHowFarTheyAre) {
    // A difference of 8 % is certain in a quiet network and means nothing in a noisy one.
    add_clusters(1.08, 43, 0.002);
    EXPECT_EQ(fitted().network.links->ports.size(), 2U);
    points_.clear();
    add_clusters(1.08, 43, 0.3);
    for (auto& samples : points_)
        if (samples.point.probe == "flood_gap")
            for (auto& sample : samples.samples)
                sample.value *= 1 + 0.3 * random_.normal();
    EXPECT_TRUE(fitted().network.links->ports.empty());
}

TEST_F(FitLinks, FloodsThatDoNotOverflowGiveTheLeastThatTheBackboneCarries) {
    add_trains();
    add_backbone();
    add_flood(Clusters({6, 6}), 0, 6, 6 * port, 0);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links && profile.network.links->backbone);
    EXPECT_TRUE(profile.network.links->backbone->at_least);
    EXPECT_EQ(profile.network.links->backbone->queue_bytes, 0);
    EXPECT_NE(refused(profile, "backbone queue").find("do not fill"), std::string::npos);
    EXPECT_NE(noted(profile, "backbone rate").find("at least that"), std::string::npos);
}

TEST_F(FitLinks, WhatWasNotMeasuredIsToldFromWhatHostsCannotShow) {
    add_trains();
    add_backbone();
    add_flood(Clusters({6}), 0, -1, port, 43);
    EXPECT_EQ(refused(fitted(), "backbone queue"), "no floods between clusters were measured");
    points_.clear();
    add_trains();
    add_flood(Clusters({6, 6}), 0, 6, backbone, 173);
    const auto profile = fitted();
    EXPECT_EQ(refused(profile, "backbone latency"), "no ping-pongs between clusters were measured");
    EXPECT_EQ(refused(profile, "switch buffer"), "no floods within a cluster were measured");
    points_.clear();
    add_trains();
    Provenance two;
    two.clusters = Clusters({2});
    EXPECT_EQ(refused(fit_points(points_, two, {.name = "x", .source = "y"}), "switch buffer"),
              "too few hosts share a switch to fill a port's buffer");
}

TEST_F(FitLinks, OneRateForPortsAndPingPongs) {
    add_trains();
    // Each message costs a packet twice, so that no line through these sizes has the port's slope.
    for (const std::uint64_t size : {std::uint64_t{1}, ki, 4 * ki, 16 * ki})
        add({"pingpong", "mpi", Clusters({2}), size, 0, 1},
            1e-4 + (static_cast<double>(size) + std::min(1448., static_cast<double>(size))) / port);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.local && profile.network.links);
    EXPECT_NEAR(1 / profile.network.local->beta_s_per_byte.value,
                profile.network.links->port.goodput_bytes_per_s, 1e-3 * port);
    EXPECT_GT(profile.network.local->alpha_s.value, 0);
}

TEST_F(FitLinks, SeveralPairsTellWhatAPortCarriesAndOnePairWhatAConnectionDoes) {
    add_trains();
    for (const std::uint64_t size : {std::uint64_t{1}, ki, 16 * ki, 64 * ki, 256 * ki})
        add({"pingpong", "mpi", Clusters({2}), size, 0, 1},
            1e-4 + static_cast<double>(size) / port);
    for (const auto size : {ki, 64 * ki})
        add({"pairs", "mpi", Clusters::of_hosts({{8, 8}}), size, -1, -1, 64},
            8 * 64 * static_cast<double>(size) / (size == ki ? port : 5 * port));
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.local && profile.network.links);
    EXPECT_NEAR(profile.network.links->port.goodput_bytes_per_s / port, 5, 0.1);
    EXPECT_NEAR(profile.network.links->connection_bytes_per_s / port, 1, 0.02);
    EXPECT_NEAR(1 / profile.network.local->beta_s_per_byte.value / port, 1, 0.05);
    const auto again = profile_from_json(profile_to_json(profile).dump(), "net.json");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->network.links->connection_bytes_per_s,
              profile.network.links->connection_bytes_per_s);
}

TEST_F(FitLinks, BothWaysAtOnceTellWhatAPortCarriesEachWay) {
    add({"exchange", "mpi", Clusters({2}), 64 * ki, -1, -1, 64}, 64 * 65536. / port);
    add({"exchange", "mpi", Clusters::of_hosts({{4, 4}}), 64 * ki, -1, -1, 1}, 65536 / port);
    EXPECT_NEAR(fitted().network.links->port.goodput_bytes_per_s / port, 1, 0.02);
}

TEST_F(FitLinks, SwitchesThatStoreAndForwardShowInSmallMessages) {
    add_trains();
    for (const std::uint64_t size : {std::uint64_t{1}, ki})
        add({"pingpong", "mpi", Clusters({2}), size, 0, 1},
            1e-4 + 2 * static_cast<double>(size) * (1448. / 1514) / port, 0); // without headers
    const auto links = fitted().network.links;
    ASSERT_TRUE(links);
    EXPECT_NEAR(links->store_and_forward, 1, 0.03);
    points_.clear();
    add_trains();
    add_backbone(); // byte by byte
    EXPECT_EQ(fitted().network.links->store_and_forward, 0);
}

TEST_F(FitLinks, HostsEachInTheirOwnClusterShowTheLeastThatPortsCarry) {
    const auto profile = of_single_hosts(backbone, 100);
    ASSERT_TRUE(profile.network.links);
    const auto& links = *profile.network.links;
    EXPECT_TRUE(links.port.at_least);
    EXPECT_FALSE(links.port.latency_known);
    EXPECT_NEAR(links.port.goodput_bytes_per_s, backbone, 0.02 * backbone);
    EXPECT_NE(noted(profile, "port rate").find("at least that"), std::string::npos);
    ASSERT_TRUE(links.backbone);
    EXPECT_NEAR(links.backbone->latency_s, 10e-3, 0.1e-3);
    EXPECT_FALSE(links.backbone->at_least);
}

TEST_F(FitLinks, FloodsBetweenClustersThatLoseNothingShowWhatPortsCarry) {
    const auto profile = of_single_hosts(port, 0);
    ASSERT_TRUE(profile.network.links);
    const auto& links = *profile.network.links;
    EXPECT_FALSE(links.port.at_least);
    EXPECT_NEAR(links.port.goodput_bytes_per_s, port, 0.02 * port);
    EXPECT_NE(noted(profile, "port rate").find("lost nothing"), std::string::npos);
    ASSERT_TRUE(links.backbone);
    EXPECT_TRUE(links.backbone->at_least);
}

TEST_F(FitLinks, OneFloodIsTakenWithCareAndNoneLeavesWhatAPairExchanges) {
    add_trains();
    for (const std::uint64_t size : {std::uint64_t{1}, ki, 4 * ki, 16 * ki})
        add({"pingpong", "mpi", Clusters({1, 1}), size, 0, 6},
            10e-3 + static_cast<double>(size) / (port / 2), 0);
    auto links = fitted().network.links;
    ASSERT_TRUE(links && links->backbone);
    EXPECT_TRUE(links->backbone->at_least);
    EXPECT_NEAR(links->backbone->goodput_bytes_per_s, port / 2, 0.05 * port);
    for (const auto& [probe, value] :
         {std::pair{"flood_gap", 1448 / backbone}, {"flood_queue", 50.}})
        points_.push_back({{probe, "udp", Clusters({6, 6}), 1472, 0, 6}, {{0, value, false, 0}}});
    links = fitted().network.links;
    ASSERT_TRUE(links && links->backbone);
    EXPECT_FALSE(links->backbone->at_least);
    EXPECT_NEAR(links->backbone->goodput_bytes_per_s, backbone, 1e-3 * backbone);
    EXPECT_GE(links->backbone->goodput_error, 0.04);
}

TEST_F(FitLinks, PingPongsThatContradictWidenTheInterval) {
    add_trains();
    for (const std::uint64_t size : {16 * ki, 64 * ki, 256 * ki})
        add({"pingpong", "mpi", Clusters({2}), size, 0, 1},
            50e-6 + 1.3 * static_cast<double>(size) / port);
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.links);
    EXPECT_NEAR(profile.network.links->port.goodput_bytes_per_s, port, 0.02 * port);
    EXPECT_GT(profile.network.links->rate_error, 0.1);
    EXPECT_NE(noted(profile, "port rate").find("ping-pongs from 16 KiB on"), std::string::npos);
    EXPECT_EQ(refused(profile, "port rate"), "not refused");
}

TEST_F(FitLinks, TheClusterModelComesBack) {
    add_trains();
    add_flood(Clusters({6}), 0, -1, port, 43);
    for (const auto size : {ki / 4, ki, 4 * ki, 16 * ki}) {
        const double m = static_cast<double>(size);
        for (const int count : {1, 8})
            add({"converge", "mpi", Clusters({4}), size, -1, -1, count},
                50e-6 + 3 * count * (2e-6 + m / port));
        add({"send_overhead", "mpi", Clusters({2}), size, 0, 1}, 5e-6 + 1e-9 * m);
        add({"send_call", "mpi", Clusters({2}), size, 0, 1}, 6e-6 + 2e-9 * m);
        add({"background", "mpi", Clusters({2}), size, 0, 1, 4}, 0, 0);
        add({"fetch", "mpi", Clusters({2}), size, 0, 1}, 3e-6);
        for (const int p : {2, 6})
            add({"pairs", "mpi", Clusters({p}), size, -1, -1}, 60e-6 + p * 1e-6 + m / port);
        add({"copy", "memory_to_memory", Clusters({1}), size, 0, -1}, 20e-9 + 1e-10 * m);
    }
    const auto profile = fitted();
    ASSERT_TRUE(profile.network.cluster);
    const auto& cluster = *profile.network.cluster;
    EXPECT_NEAR(cluster.g_s(16384), 16384 / port, 0.03 * 16384 / port);
    EXPECT_NEAR(cluster.g_r(16384), 2e-6 + 16384 / port, 0.03 * 16384 / port);
    EXPECT_NEAR(cluster.O_s(1024), 6e-6, 0.3e-6);
    EXPECT_NEAR(cluster.T_s(16384), 38.8e-6, 2e-6);
    EXPECT_NEAR(cluster.U_r_s, 3e-6, 0.1e-6);
    EXPECT_NEAR(cluster.copy_memory_to_memory.beta_s_per_byte, 1e-10, 0.05e-10);
    EXPECT_NEAR(cluster.buffer_bytes, 43 * packet_bytes, 2 * packet_bytes);
    EXPECT_EQ(cluster.packet_bytes, packet_bytes);
    EXPECT_NEAR(cluster.L.beta_s_per_byte, 1 / port, 0.03 / port);
    EXPECT_TRUE(cluster.O_r.points().empty());
    EXPECT_NE(refused(profile, "O_r").find("do not slow a computation"), std::string::npos);
}

} // namespace alltold
