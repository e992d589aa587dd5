// SPDX-License-Identifier: BSD-3-Clause
// Hand-worked examples on links.
#include <cmath>

#include <gtest/gtest.h>

#include "ranks.hpp"

using namespace alltold;
using namespace alltold::simulate;

namespace {

using Seconds = std::vector<double>;

/// Ports of 100 bytes per second and 1 s.
LinkNetwork ports(double queue_bytes = 0, double start_up_s = 0) {
    return {{100, 1, queue_bytes}, {}, start_up_s};
}
/// The same on a backbone of 10 s.
LinkNetwork with_backbone(double goodput_bytes_per_s, double queue_bytes = 0) {
    auto links = ports();
    links.backbone = Link{goodput_bytes_per_s, 10, queue_bytes};
    return links;
}

void expect_near(const Seconds& got, const Seconds& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], wanted[i], 1e-9) << "rank " << i;
}

} // namespace

TEST(Links, OneMessage) {
    const auto times = timed(messages(2, 100, {{0, 1}}), ports(), Clusters({2}));
    expect_near(times.finish_s, {1, 2});
    EXPECT_NEAR(times.ports[1].busy_s, 1, 1e-9);
    EXPECT_NEAR(times.ports[1].peak_bytes, 0, 1e-9);
    EXPECT_EQ(times.ports[0].busy_s, 0);
    EXPECT_TRUE(times.uplinks.empty());
}

TEST(Links, CarryTheHeadersOfPackets) {
    // Frames of 1514 bytes with 1448 of TCP's payload, the first 48 of a message MPI's.
    LinkNetwork links{{1448, 10, 0}, {}, 0};
    links.mss_bytes = 1448;
    const double alone = (48. + 66) / 1514; // of a message of no bytes, which the latency has
    expect_near(timed(messages(2, 1400, {{0, 1}}), links, Clusters({2})).finish_s, {1, 11 - alone});
    expect_near(timed(messages(2, 1, {{0, 1}}), links, Clusters({2})).finish_s,
                {115. / 1514, 10 + 1. / 1514});
    expect_near(timed(messages(2, 1401, {{0, 1}}), links, Clusters({2})).finish_s,
                {(1449. + 2 * 66) / 1514, 10 + (1449. + 2 * 66) / 1514 - alone});
    links.store_and_forward = 1; // the latency has them twice
    expect_near(timed(messages(2, 1400, {{0, 1}}), links, Clusters({2})).finish_s,
                {1, 12 - 2 * alone});
}

TEST(Links, ShortMessagesFillAQueueWithTheirHeaders) {
    std::vector<std::pair<int, int>> to_one;
    for (int from = 1; from <= 20; ++from)
        to_one.emplace_back(from, 0);
    LinkNetwork links{{1448, 10, 13600}, {}, 0};
    const auto dropped_bytes = [&] {
        return timed(messages(21, 700, to_one), links, Clusters({21})).dropped_bytes();
    };
    EXPECT_EQ(dropped_bytes(), 0) << "19/20 of 14000 are there at once";
    links.mss_bytes = 1448;
    // So many of 20 frames of 814 bytes; the queue holds 13600 and half a packet.
    EXPECT_NEAR(dropped_bytes(), (19 * 814. - 13600) * 1448 / 1514 - 724, 1);
}

TEST(Links, OneSenderServesOneAfterTheOther) {
    expect_near(timed(messages(3, 100, {{0, 1}, {0, 2}}), ports(), Clusters({3})).finish_s,
                {2, 2, 3});
}

/// Full packets take 1 s each, and the latency is 10 s without the headers of a lone packet.
LinkNetwork with_packets() {
    LinkNetwork links{{1448, 10 + (48. + 66) / 1514, 0}, {}, 0};
    links.mss_bytes = 1448;
    return links;
}
/// Of a message of so many packets.
constexpr std::uint64_t filling(double packets) {
    return static_cast<std::uint64_t>(packets * 1448) - 48;
}

TEST(Links, ConnectionsTakeTurnsOfTwoPackets) {
    expect_near(
        timed(messages(3, filling(10), {{0, 1}, {0, 2}}), with_packets(), Clusters({3})).finish_s,
        {20, 28, 30});
    // Turns of a quarter of what waits first, of two packets in the end.
    expect_near(
        timed(messages(3, filling(100), {{0, 1}, {0, 2}}), with_packets(), Clusters({3})).finish_s,
        {200, 210, 209});
    // On a fast link, of what leaves in a millisecond.
    auto fast = with_packets();
    fast.port = {1448e4, 1e-3 + 1e-4 * (48. + 66) / 1514, 0};
    expect_near(timed(messages(3, filling(10), {{0, 1}, {0, 2}}), fast, Clusters({3})).finish_s,
                {2e-3, 2e-3, 3e-3});
}

TEST(Links, AConnectionAloneSendsWithoutTurns) {
    // 2 joins when 5.5 packets have left and the device has taken 2 more: 8 leave first.
    auto links = with_packets();
    Ranks ranks(4);
    ranks[0].send(bytes(filling(12)), 1);
    ranks[1].receive(into(filling(12)), 0);
    const auto token = ranks[0].receive(into(1), 3);
    ranks[3].send(bytes(1), 0);
    ranks[0].send(bytes(filling(2)), 2, {token});
    ranks[2].receive(into(filling(2)), 0);
    links.port.latency_s = 5.5;
    const auto times = timed(graph_of(std::move(ranks)), links, Clusters({4}));
    const double latency_s = 5.5 - (48. + 66) / 1514;
    EXPECT_NEAR(times.finish_s[2], 10 + latency_s, 1e-9);
    EXPECT_NEAR(times.finish_s[1], 14 + latency_s, 1e-9);
}

TEST(Links, TheLastPacketWaitsForThoseBeforeItToLeave) {
    // Turns of two packets, of one, and of the last one, which has half a packet and headers. The
    // device takes the first turn at once, so 1 waits again before the message to 3 does.
    const double last_s = (724. + 66) / 1514;
    expect_near(
        timed(messages(4, filling(3.5), {{0, 1}, {0, 2}, {0, 3}}), with_packets(), Clusters({4}))
            .finish_s,
        {9 + 3 * last_s, 18 + last_s, 19 + 2 * last_s, 19 + 3 * last_s});
}

TEST(Links, TheLastPacketWaitsIfOthersJoinWhileThoseBeforeItLeave) {
    // The device has two packets of the first message and part of the third when 2 joins, and takes
    // all three: turns of three, two, two, and the last packet.
    auto links = with_packets();
    links.start_up_s = 0.4;
    const double last_s = (724. + 66) / 1514;
    expect_near(
        timed(messages(4, filling(3.5), {{0, 1}, {0, 2}, {0, 3}}), links, Clusters({4})).finish_s,
        {9.4 + 3 * last_s, 17.8 + last_s, 19.8 + 2 * last_s, 19.8 + 3 * last_s});
}

TEST(Links, ShortMessagesThatWaitLeaveInOneTurn) {
    // The device is full for 2 s. Of three messages to 1 the first takes a turn, and the others
    // one after that to 3.
    Ranks ranks(4);
    ranks[0].send(bytes(filling(2)), 2);
    ranks[2].receive(into(filling(2)), 0);
    for (int i = 0; i < 3; ++i) {
        ranks[0].send(bytes(300), 1);
        ranks[1].receive(into(300), 0);
    }
    ranks[0].send(bytes(300), 3);
    ranks[3].receive(into(300), 0);
    const double one_s = (300. + 48 + 66) / 1514;
    expect_near(timed(graph_of(std::move(ranks)), with_packets(), Clusters({4})).finish_s,
                {2 + 4 * one_s, 12 + 4 * one_s, 12, 12 + 2 * one_s});
}

TEST(Links, TurnsOfManyMessagesAreWholeOnes) {
    const double one_s = 2 + (724. + 66) / 1514;
    for (const int receivers : {150, 151}) {
        std::vector<std::pair<int, int>> to_all;
        for (int to = 1; to <= receivers; ++to)
            to_all.emplace_back(0, to);
        const auto times = timed(messages(receivers + 1, filling(2.5), to_all), with_packets(),
                                 Clusters({receivers + 1}));
        EXPECT_EQ(std::abs(times.finish_s[75] - 10 - 75 * one_s) < 1e-6, receivers > 150)
            << times.finish_s[75];
    }
}

TEST(Links, BufferedSendsAreCompleteAtOnce) {
    // The second send is after the first one, which is complete before it leaves: they take turns
    // after four packets, those that left by then or were in the device.
    Ranks ranks(3);
    const auto first = ranks[0].send(bytes(filling(10)), 1);
    ranks[0].send(bytes(filling(10)), 2, {first});
    ranks[1].receive(into(filling(10)), 0);
    ranks[2].receive(into(filling(10)), 0);
    const auto graph = graph_of(std::move(ranks));
    auto links = with_packets();
    links.start_up_s = 0.5;
    Options options{.buffered_bytes = filling(10)};
    expect_near(timed(graph, links, Clusters({3}), options).finish_s, {1, 27, 31});
    --options.buffered_bytes;
    expect_near(timed(graph, links, Clusters({3}), options).finish_s, {21, 21, 31.5});
}

TEST(Links, EagerSynchronousSendsAreCompleteWhenAcknowledged) {
    // Both messages have arrived at 3, which their senders know 1 s later; ready receives matter.
    Ranks ranks(3);
    const auto one = ranks[0].receive(into(100), 1);
    ranks[0].receive(into(100), 2, {one});
    for (const int from : {1, 2})
        ranks[static_cast<std::size_t>(from)].send(bytes(100), 0, {}, true);
    const auto graph = graph_of(std::move(ranks));
    expect_near(timed(graph, ports(), Clusters({3}), Options{.buffered_bytes = 100}).finish_s,
                {3, 4, 4});
    // Larger ones wait for a handshake of 2 s, and are complete when they have left.
    expect_near(timed(graph, ports(), Clusters({3}), Options{.buffered_bytes = 99}).finish_s,
                {8, 3, 7});
}

TEST(Links, TwoSendersShareAPort) {
    // 200 bytes per second come in from 1 to 2, half of them wait until 3.
    const auto times = timed(messages(3, 100, {{0, 2}, {1, 2}}), ports(), Clusters({3}));
    expect_near(times.finish_s, {1, 1, 3});
    EXPECT_NEAR(times.ports[2].peak_bytes, 100, 1e-9);
    EXPECT_NEAR(times.ports[2].busy_s, 2, 1e-9);
    EXPECT_EQ(times.dropped_bytes(), 0);
}

TEST(Links, RanksMayStartApart) {
    const auto both = messages(3, 100, {{0, 2}, {1, 2}});
    // The second message begins when the first has left, and waits for nothing.
    const auto times = timed(both, ports(), Clusters({3}), Options{.starts_s = {0, 1, 0}});
    expect_near(times.finish_s, {1, 2, 3});
    EXPECT_NEAR(times.ports[2].peak_bytes, 0, 1e-9);
    // What arrives before its receiver starts is taken then.
    expect_near(timed(both, ports(), Clusters({3}), Options{.starts_s = {0, 0, 9}}).finish_s,
                {1, 1, 9});
}

TEST(Links, WhatComesAfterAPausePassesAtOnce) {
    // 60 of the 100 bytes at once, on the sender's link and at the port alike: 0.4 s and 1 s.
    auto links = ports();
    links.port.burst_bytes = 60;
    expect_near(timed(messages(2, 100, {{0, 1}}), links, Clusters({2})).finish_s, {0.4, 1.4});
    // No gift for the second one.
    expect_near(timed(messages(3, 100, {{0, 1}, {0, 2}}), links, Clusters({3})).finish_s,
                {1.4, 1.4, 2.4});
    expect_near(timed(messages(3, 100, {{0, 2}, {1, 2}}), links, Clusters({3})).finish_s,
                {0.4, 0.4, 2.4});
    // Less than the burst takes no time at all.
    expect_near(timed(messages(2, 50, {{0, 1}}), links, Clusters({2})).finish_s, {0, 1});
}

TEST(Links, ABurstIsNoBuffer) {
    // 80 bytes come in at once, 60 pass, the 120 that follow in 1.2 s find 20 waiting.
    auto links = ports(100);
    links.port.burst_bytes = 60;
    const auto graph = messages(3, 100, {{0, 2}, {1, 2}});
    EXPECT_EQ(timed(graph, links, Clusters({3})).dropped_bytes(), 0);
    links.port.queue_bytes = 10;
    EXPECT_GT(timed(graph, links, Clusters({3})).dropped_bytes(), 0);
}

TEST(Links, WhatDoesNotFitIsCounted) {
    const auto graph = messages(3, 100, {{0, 2}, {1, 2}});
    const auto times = timed(graph, ports(60), Clusters({3}));
    EXPECT_NEAR(times.ports[2].dropped_bytes, 40, 1e-9);
    EXPECT_EQ(times.ports[2].messages_hit, 2);
    EXPECT_NEAR(times.ports[2].peak_bytes, 100, 1e-9);
    EXPECT_NEAR(times.time_s, 3, 1e-9);
    const auto fits = timed(graph, ports(100), Clusters({3}));
    EXPECT_EQ(fits.dropped_bytes(), 0);
    EXPECT_EQ(fits.messages_hit(), 0);
}

TEST(Links, LossesMayMeetTimeouts) {
    const auto graph = messages(3, 100, {{0, 2}, {1, 2}});
    const auto times = timed(graph, ports(60), Clusters({3}));
    ASSERT_EQ(times.timeouts.size(), 2U);
    for (const auto& timeout : times.timeouts) {
        // A fifth of what came is lost, and two flows share a queue of less than a packet.
        EXPECT_NEAR(timeout.chance, timeout_chance(60. / 1514, 2, 0.2, INFINITY), 1e-9);
        // In at 2; 0.2 s of waiting; the queue and the lost fifth again.
        EXPECT_NEAR(timeout.soonest_s, 2 + 0.2 + 0.6 + 0.2, 1e-9);
        EXPECT_NEAR(timeout.latest_s, timeout.soonest_s + 1, 1e-9);
    }
    EXPECT_TRUE(timed(graph, ports(100), Clusters({3})).timeouts.empty());
}

TEST(Links, ShortMessagesThatLosePacketsBetweenClustersMeetTimeouts) {
    // The long message has filled the queue when the short one comes.
    const auto graph = graph_of([] {
        Ranks ranks(3);
        ranks[0].send(bytes(100'000), 2);
        ranks[1].send(bytes(1400), 2);
        ranks[2].receive(into(100'000), 0);
        ranks[2].receive(into(1400), 1);
        return ranks;
    }());
    const LinkNetwork links{{1e6, 1e-4, 0}, Link{1e5, 1e-2, 20'000}};
    const auto times = timed(graph, links, Clusters({2, 1}), Options{.starts_s = {0, 0.05, 0}});
    EXPECT_EQ(times.uplinks[0].messages_hit, 2);
    ASSERT_EQ(times.timeouts.size(), 1U)
        << "the long message's lost packets are followed by others";
    EXPECT_GT(times.timeouts.front().chance, 0.3);
}

TEST(Links, ProcessorsStartUp) {
    const auto links = ports(0, 0.5);
    expect_near(timed(messages(2, 100, {{0, 1}}), links, Clusters({2})).finish_s, {1.5, 3});
    // The second start-up runs beside the first message's bytes.
    expect_near(timed(messages(3, 100, {{0, 1}, {0, 2}}), links, Clusters({3})).finish_s,
                {2.5, 3, 4});
    // Two messages of a byte arrive together; the receiver takes one after the other.
    expect_near(timed(messages(3, 0, {}), links, Clusters({3})).finish_s, {0, 0, 0});
    expect_near(timed(messages(3, 1, {{0, 2}, {1, 2}}), links, Clusters({3})).finish_s,
                {0.51, 0.51, 2.52});
}

TEST(Links, SwitchesMayTakeInWholePackets) {
    const auto later_s = [&](std::uint64_t size, LinkNetwork links, const Clusters& clusters) {
        const auto graph = messages(clusters.ranks(), size, {{0, 1}});
        const double at_once_s = timed(graph, links, clusters).time_s;
        links.store_and_forward = 1;
        return timed(graph, links, clusters).time_s - at_once_s;
    };
    EXPECT_NEAR(later_s(100'000, ports(), Clusters({2})), 14.48, 1e-9);
    EXPECT_NEAR(later_s(4, ports(), Clusters({2})), 0.04, 1e-9);
    // Over the backbone a packet is taken in twice, however many clusters there are.
    EXPECT_NEAR(later_s(100'000, with_backbone(200), Clusters({1, 1})), 14.48 * 1.5, 1e-9);
    EXPECT_NEAR(later_s(100'000, with_backbone(200), Clusters({1, 1, 1})), 14.48 * 1.5, 1e-9);
}

/// Ports of a packet a second and 10 s; switches take in whole packets.
LinkNetwork ports_of_packets() {
    LinkNetwork links{{1448, 10, 0}, {}, 0};
    links.mss_bytes = 1448;
    links.store_and_forward = 1;
    return links;
}

TEST(Links, APacketWaitsOnlyForThoseBeforeIt) {
    const auto links = ports_of_packets();
    const Clusters clusters({4});
    const double alone_s = timed(messages(4, 1400, {{1, 0}}), links, clusters).time_s;
    // Of two that come to a port half a second apart the first one is passed on at once.
    Ranks ranks(4);
    ranks[1].send(bytes(1400), 0);
    ranks[2].send(bytes(1400), 0);
    const auto first = ranks[0].receive(into(1400), 1);
    ranks[0].receive(into(1400, 1400), 2);
    ranks[0].send(into(1400), 3, {first});
    ranks[3].receive(into(1400), 0);
    const auto times =
        timed(graph_of(std::move(ranks)), links, clusters, Options{.starts_s = {0, 0, 0.5, 0}});
    EXPECT_NEAR(times.finish_s[3], 2 * alone_s, 1e-9);
    EXPECT_NEAR(times.finish_s[0], alone_s + 1, 1e-9) << "the second one waits for it";
}

TEST(Links, TheLastPacketOfASlowBackboneTakesThePortsTime) {
    auto links = ports_of_packets();
    const double headers = (48. + 66) / 1514; // of a packet, which the latencies have
    const auto time_s = [&](std::uint64_t size_bytes, double goodput_bytes_per_s) {
        links.backbone = Link{goodput_bytes_per_s, 10, 0};
        return timed(messages(2, size_bytes, {{0, 1}}), links, Clusters({1, 1})).time_s;
    };
    for (const double packets : {1, 10}) {
        const auto size_bytes = static_cast<std::uint64_t>(packets * 1448 - 48);
        EXPECT_NEAR(time_s(size_bytes, 1448 / 2.) - time_s(size_bytes, 1448), packets - headers,
                    1e-9)
            << packets;
    }
}

TEST(Links, SynchronousSendsTakeARoundTrip) {
    Ranks ranks(2);
    ranks[0].send(bytes(100), 1, {}, true);
    ranks[1].receive(into(100), 0);
    const auto graph = graph_of(std::move(ranks));
    EXPECT_NEAR(timed(graph, ports(), Clusters({2})).time_s, 4, 1e-9);
    EXPECT_NEAR(timed(graph, ports(0, 0.5), Clusters({2})).time_s, 7, 1e-9);
    EXPECT_NEAR(timed(graph, with_backbone(100), Clusters({1, 1})).time_s, 34, 1e-9);
}

TEST(Links, BackboneIsShared) {
    const auto graph = messages(4, 100, {{0, 2}, {1, 3}});
    // 200 bytes per second meet 150 from 0.5 to 1.5; the 50 that wait then take 1/3 s.
    const auto times = timed(graph, with_backbone(150), Clusters({2, 2}));
    expect_near(times.finish_s, {1, 1, 12 + 1.0 / 3, 12 + 1.0 / 3});
    EXPECT_NEAR(times.uplinks[0].peak_bytes, 50, 1e-9);
    EXPECT_NEAR(times.uplinks[0].busy_s, 4.0 / 3, 1e-9);
    EXPECT_EQ(times.uplinks[1].busy_s, 0);
    EXPECT_NEAR(timed(graph, with_backbone(150, 30), Clusters({2, 2})).uplinks[0].dropped_bytes, 20,
                1e-9);
    // In one cluster the same messages do not meet.
    EXPECT_NEAR(timed(graph, with_backbone(150), Clusters({4})).time_s, 2, 1e-9);
}

TEST(Links, ABackboneThatIsFasterThanAPortDelaysNothing) {
    EXPECT_NEAR(
        timed(messages(4, 100, {{0, 2}, {1, 3}}), with_backbone(200), Clusters({2, 2})).time_s, 12,
        1e-9);
}

TEST(Links, ClustersHaveTheirOwnPorts) {
    auto links = with_backbone(1000);
    links.of_clusters = Clusters({2, 3});
    links.ports = {{100, 1, 0}, {50, 3, 0}};
    // Within each cluster, and across at the slower end's rate; half of each latency beside the
    // backbone's.
    expect_near(timed(messages(4, 100, {{0, 1}, {2, 3}}), links, Clusters({2, 2})).finish_s,
                {1, 2, 2, 5});
    expect_near(timed(messages(4, 100, {{0, 2}}), links, Clusters({2, 2})).finish_s,
                {1, 0, 10 + 2 + 2, 0});
    expect_near(timed(messages(4, 100, {{2, 0}}), links, Clusters({2, 2})).finish_s,
                {10 + 2 + 2, 0, 2, 0});
    // Three hosts fit into the second cluster alone, four into neither, and are as on the first.
    EXPECT_NEAR(timed(messages(3, 100, {{0, 1}}), links, Clusters({3})).time_s, 5, 1e-9);
    EXPECT_NEAR(timed(messages(2, 100, {{0, 1}}), links, Clusters({2})).time_s, 2, 1e-9);
    EXPECT_NEAR(timed(messages(4, 100, {{0, 1}}), links, Clusters({4})).time_s, 2, 1e-9);
    // A port's queue is its own.
    links.ports[1].queue_bytes = 30;
    const auto times = timed(messages(5, 100, {{0, 1}, {3, 2}, {4, 2}}), links, Clusters({2, 3}));
    EXPECT_EQ(times.ports[1].dropped_bytes, 0);
    EXPECT_NEAR(times.ports[2].dropped_bytes, 70, 1e-9);
    EXPECT_NEAR(times.ports[2].capacity_bytes, 30, 1e-9);
}

TEST(Links, PairsOfClustersHaveTheirOwnPaths) {
    auto links = with_backbone(50);
    links.of_clusters = Clusters({2, 2, 2});
    // The first two clusters are joined at 50, which neither uplink, of 200, explains.
    links.paths = {{50, 30, 0}, {200, 10, 0}, {200, 10, 0}};
    const Clusters all({2, 2, 2});
    const auto slow = timed(messages(6, 100, {{0, 2}, {1, 3}}), links, all);
    EXPECT_NEAR(slow.time_s, 30 + 1 + 4, 1e-9);
    ASSERT_EQ(slow.uplinks.size(), 3U + 2);
    EXPECT_NEAR(slow.uplinks[3].busy_s, 4, 1e-9);
    EXPECT_EQ(slow.uplinks[0].busy_s + slow.uplinks[4].busy_s, 0);
    EXPECT_NEAR(timed(messages(6, 100, {{0, 4}, {1, 5}}), links, all).time_s, 10 + 1 + 1, 1e-9);
    // The way back is another queue, and the star takes nothing from it.
    EXPECT_NEAR(timed(messages(6, 100, {{0, 2}, {3, 1}, {0, 4}}), links, all).time_s, 30 + 1 + 2,
                1e-9);
    // A slow uplink instead: both paths of the third cluster share it.
    links.paths = {{200, 10, 0}, {50, 10, 0}, {50, 10, 0}};
    EXPECT_NEAR(timed(messages(6, 100, {{0, 4}, {2, 5}}), links, all).time_s, 10 + 1 + 4, 1e-9);
}

TEST(Links, EqualClustersAreAsOne) {
    std::vector<std::pair<int, int>> pairs;
    for (int from = 0; from < 6; ++from)
        for (int to = 0; to < 6; ++to)
            if (from != to)
                pairs.emplace_back(from, to);
    for (const auto& clusters : {Clusters({3, 3}), Clusters({1, 2, 3}), Clusters({6})}) {
        auto links = with_backbone(170, 300);
        links.port.queue_bytes = 250;
        links.port.burst_bytes = 7;
        links.mss_bytes = 30;
        links.store_and_forward = 0.7;
        links.initial_window_bytes = 300;
        links.start_up_s = 0.013;
        const auto graph = messages(6, 700, pairs);
        const auto one = timed(graph, links, clusters);
        links.of_clusters = clusters;
        links.ports.resize(static_cast<std::size_t>(clusters.count()), links.port);
        links.paths.resize(3, *links.backbone);
        const auto each = timed(graph, links, clusters);
        EXPECT_EQ(each.finish_s, one.finish_s) << clusters.text();
        EXPECT_EQ(each.dropped_bytes(), one.dropped_bytes());
        EXPECT_GT(one.dropped_bytes(), 0);
    }
}

TEST(Links, ASlowBackboneFeedsThePortSlowly) {
    const auto times = timed(messages(2, 100, {{0, 1}}), with_backbone(50), Clusters({1, 1}));
    EXPECT_NEAR(times.time_s, 13, 1e-9);
    EXPECT_NEAR(times.ports[1].peak_bytes, 0, 1e-9);
}

TEST(Links, ManyFlowsLeaveTheBackboneAtItsRate) {
    // 14 times 100 bytes come within a second; the backbone passes them on in 7, the port in 14.
    std::vector<std::pair<int, int>> pairs;
    for (int from = 1; from <= 14; ++from)
        pairs.emplace_back(from, 0);
    const auto times = timed(messages(15, 100, pairs), with_backbone(200), Clusters({1, 14}));
    EXPECT_NEAR(times.time_s, 11 + 14, 1e-9);
    EXPECT_NEAR(times.uplinks[1].peak_bytes, 1200, 1e-9);
    EXPECT_NEAR(times.ports[0].peak_bytes, 700, 1e-9);
    // The same where the first bytes come to the port while the last ones come to the backbone.
    auto links = with_backbone(200);
    links.backbone->latency_s = 0.01;
    links.port.latency_s = 0;
    const auto soon = timed(messages(15, 100, pairs), links, Clusters({1, 14}));
    EXPECT_NEAR(soon.time_s, 14.01, 1e-9);
    EXPECT_NEAR(soon.ports[0].peak_bytes, 700, 1e-9);
}

TEST(Links, AQuietConnectionWaitsForAcknowledgements) {
    auto links = with_backbone(200);
    links.initial_window_bytes = 100;
    // 100 bytes leave at 0, the first of them is there at 11 and known to be at 22; 150 more leave
    // until 23.5.
    const Clusters clusters({1, 1});
    expect_near(timed(messages(2, 250, {{0, 1}}), links, clusters).finish_s, {23.5, 34.5});
    expect_near(timed(messages(2, 100, {{0, 1}}), links, clusters).finish_s, {1, 12});
    // 50 bytes of a second message fit into the window of 200, the other 200 leave at 44.
    expect_near(timed(messages(2, 250, {{0, 1}, {0, 1}}), links, clusters).finish_s, {46, 57});
    // Thirty messages of 5 bytes: ten packets fit into the window, and what waits leaves together.
    const std::vector<std::pair<int, int>> thirty(30, {0, 1});
    const auto& many = timed(messages(2, 5, thirty), links, clusters);
    EXPECT_NEAR(many.finish_s[0], 23, 1.1) << "one round trip, as 150 bytes need";
    EXPECT_GT(many.finish_s[0], timed(messages(2, 50, {{0, 1}}), links, clusters).finish_s[0] + 11)
        << "50 bytes in ten packets fill it";
    // Within a cluster none waits, and others need not wait for one that does.
    const auto near_and_far = messages(3, 250, {{0, 2}, {0, 1}});
    expect_near(timed(near_and_far, links, Clusters({2, 1})).finish_s, {23.5, 4.5, 34.5});
    // Where acknowledgements come before the window is spent, nothing is lost by it.
    links.port.latency_s = 0;
    links.backbone->latency_s = 0.1;
    expect_near(timed(messages(2, 250, {{0, 1}}), links, clusters).finish_s, {2.5, 2.6});
}

TEST(Links, AUsedConnectionStaysAtItsWindow) {
    auto links = with_backbone(200);
    links.initial_window_bytes = 100;
    const Clusters clusters({1, 1});
    const auto sent_s = [&](std::uint64_t size_bytes) {
        return timed(messages(2, size_bytes, {{0, 1}}), links, clusters).finish_s[0];
    };
    links.past_slow_start = true;
    EXPECT_NEAR(sent_s(500), 5, 1e-9);
    // 150 bytes leave at 0, a few more at 22 and 44, the rest at 66.
    links.window_bytes = 150;
    EXPECT_NEAR(sent_s(150), 1.5, 1e-9);
    EXPECT_NEAR(sent_s(500), 66.34, 0.01);
    // An idle one begins with 100.
    links.past_slow_start = false;
    EXPECT_NEAR(sent_s(150), 22.5, 1e-9);
    EXPECT_NEAR(sent_s(500), 66.95, 0.01);
    // 5.3 bytes more each time: after 390 windows they hold what leaves in 22 s.
    EXPECT_LT(sent_s(10000000), 200 * 22 + 100000);
}

TEST(Links, ThreeClustersMeetOnTheWayDown) {
    const auto times =
        timed(messages(4, 100, {{0, 2}, {1, 3}}), with_backbone(100), Clusters({1, 1, 2}));
    expect_near(times.finish_s, {1, 1, 13, 13});
    EXPECT_NEAR(times.downlinks[2].peak_bytes, 100, 1e-9);
    EXPECT_NEAR(times.uplinks[0].peak_bytes, 0, 1e-9);
}

TEST(Links, ClustersMustFit) {
    const auto times = run(messages(2, 1, {{0, 1}}), with_backbone(100), Clusters({2, 2}));
    ASSERT_FALSE(times);
    EXPECT_EQ(times.error().message, "clusters 2+2 hold 4 ranks, but 2 ranks are to be simulated");
}
