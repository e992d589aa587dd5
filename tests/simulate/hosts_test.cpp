// SPDX-License-Identifier: BSD-3-Clause
// Hosts with several ranks: a shared link and port, and copies in memory.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "ranks.hpp"

using namespace alltold;
using namespace alltold::simulate;

namespace {

using Seconds = std::vector<double>;

/// Ports of 100 bytes per second and 1 s; copies of 50 bytes per second and 2 s, 80 together.
LinkNetwork shared_ports(double start_up_s = 0) {
    LinkNetwork links{{100, 1, 0}, {}, start_up_s};
    links.memory = LinkNetwork::Memory{2, 50, 80};
    return links;
}

Clusters on(const char* text) {
    return *Clusters::parse(text);
}

void expect_finish(const Times& times, const Seconds& wanted) {
    ASSERT_EQ(times.finish_s.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(times.finish_s[i], wanted[i], 1e-9) << "rank " << i;
}

} // namespace

TEST(Hosts, RanksShareTheirLink) {
    const auto graph = messages(4, 100, {{0, 2}, {1, 3}});
    const auto times = timed(graph, shared_ports(), on("2x2"));
    expect_finish(times, {1, 2, 2, 3});
    ASSERT_EQ(times.ports.size(), 2U);
    EXPECT_NEAR(times.ports[1].busy_s, 2, 1e-9);
    expect_finish(timed(graph, shared_ports(), on("4")), {1, 1, 2, 2});
    expect_finish(timed(graph, shared_ports(), on("1x2/2")), {1, 2, 2, 3});
}

TEST(Hosts, RanksShareTheirPort) {
    // 200 bytes per second come in for 1 s, half of them wait for another.
    const auto times = timed(messages(4, 100, {{0, 2}, {1, 3}}), shared_ports(), on("2/1x2"));
    expect_finish(times, {1, 1, 3, 3});
    ASSERT_EQ(times.ports.size(), 3U);
    EXPECT_NEAR(times.ports[2].peak_bytes, 100, 1e-9);
}

TEST(Hosts, AConnectionMayCarryLessThanAPort) {
    auto links = shared_ports();
    links.connection_bytes_per_s = 25;
    const auto seconds = [&](std::vector<std::pair<int, int>> pairs) {
        return timed(messages(5, 100, std::move(pairs)), links, on("5")).time_s;
    };
    const double one_s = seconds({{0, 1}});
    EXPECT_NEAR(one_s, 100. / 25 + 1, 1e-9);
    EXPECT_NEAR(seconds({{0, 1}, {0, 2}, {0, 3}}), one_s, 1e-9) << "75 of 100 bytes per second";
    EXPECT_NEAR(seconds({{0, 1}, {0, 1}}), one_s + 4, 1e-9);
}

TEST(Hosts, RanksTakeTurnsOnTheirLink) {
    // 0 has two messages; the one of rank 1, ready as early, is not behind all of them.
    const auto times =
        timed(messages(6, 100, {{0, 2}, {0, 3}, {0, 4}, {1, 5}}), shared_ports(), on("1x2/4"));
    expect_finish(times, {4, 2, 2, 4, 5, 3});
}

TEST(Hosts, AProcessorThatIsBusyDoesNotHoldTheLinkForAnother) {
    // Rank 0 takes 0.5 s for each of three messages that are there at 1.01 and sends then; rank 1
    // sends when it has received its own.
    Ranks ranks(6);
    std::vector<Step> received;
    for (int from = 2; from < 5; ++from) {
        ranks[static_cast<std::size_t>(from)].send(bytes(1), 0);
        received.push_back(ranks[0].receive(into(1), from));
    }
    ranks[0].send(bytes(100), 2, {received.front()});
    ranks[2].receive(into(100), 0);
    ranks[5].send(bytes(1), 1);
    const auto own = ranks[1].receive(into(1), 5);
    ranks[1].send(bytes(100), 3, {own});
    ranks[3].receive(into(100), 1);
    const auto times = timed(graph_of(std::move(ranks)), shared_ports(0.5), on("1x2/4"));
    // Four bytes leave the port one after the other from 1.5 to 1.54.
    EXPECT_NEAR(times.finish_s[1], 3.5, 0.05) << "from 1.5, half a second each to receive and send";
    EXPECT_GT(times.finish_s[0], 4.4) << "behind the bytes of rank 1 or its own three receipts";
}

TEST(Hosts, CopiesTakeLatencyAndBytesOverTheRate) {
    const auto graph = messages(4, 100, {{0, 1}});
    const auto times = timed(graph, shared_ports(7), on("2x2"));
    expect_finish(times, {3, 4, 0, 0});
    EXPECT_EQ(times.ports[0].busy_s, 0);
    // Messages on the link beside them do not delay them.
    const auto beside =
        timed(messages(4, 100, {{0, 1}, {2, 3}, {1, 2}}), shared_ports(), on("2x2"));
    EXPECT_NEAR(beside.finish_s[3], 4, 1e-9);
}

TEST(Hosts, CopiesOfAHostShareItsMemory) {
    // 100 bytes per second come in for 2 s, and 80 leave.
    const auto graph = messages(4, 100, {{0, 1}, {2, 3}});
    expect_finish(timed(graph, shared_ports(), on("1x4")), {3, 4.5, 3, 4.5});
    expect_finish(timed(graph, shared_ports(), on("2x2")), {3, 4, 3, 4});
}

TEST(Hosts, ARankCopiesOneAfterTheOther) {
    expect_finish(timed(messages(3, 100, {{0, 1}, {0, 2}}), shared_ports(), on("1x3")), {5, 4, 6});
    // In: 80 of the 100 bytes per second reach the receiver, which takes 50, and 1 s for each.
    const auto times = timed(messages(3, 100, {{0, 2}, {1, 2}}), shared_ports(), on("1x3"));
    EXPECT_NEAR(times.finish_s[2], 1 + 4 + 2, 1e-9);
}

TEST(Hosts, CopiesHaveHandshakesOfTheirOwn) {
    Ranks ranks(2);
    ranks[0].send(bytes(100), 1, {}, true);
    ranks[1].receive(into(100), 0);
    EXPECT_NEAR(timed(graph_of(std::move(ranks)), shared_ports(), on("1x2")).time_s, 4 + 4, 1e-9);
}

TEST(Hosts, CopiesNeitherWaitForWindowsNorStoreAndForward) {
    auto links = shared_ports();
    links.backbone = Link{100, 10, 0};
    links.initial_window_bytes = 100;
    links.store_and_forward = 1;
    links.port.queue_bytes = links.backbone->queue_bytes = 1;
    const auto times = timed(messages(4, 250, {{0, 1}, {2, 3}}), links, on("1x2+1x2"));
    expect_finish(times, {6, 7, 6, 7});
    EXPECT_EQ(times.dropped_bytes(), 0);
}

TEST(Hosts, WindowsAreOfConnectionsAndLinksOfHosts) {
    auto links = shared_ports();
    links.backbone = Link{200, 10, 0};
    links.initial_window_bytes = 100;
    // Each rank's 100 bytes leave in its first window, the other's 150 after a round trip.
    const auto times = timed(messages(4, 250, {{0, 2}, {1, 3}}), links, on("1x2+1x2"));
    EXPECT_NEAR(times.finish_s[0], 23.5, 1e-9);
    EXPECT_NEAR(times.finish_s[1], 25, 1e-9) << "from 23.5, behind rank 0";
}

TEST(Hosts, MustFitAndNeedTheirMemory) {
    const auto refused = [](const LinkNetwork& links, const char* clusters) {
        const auto times = run(messages(4, 1, {{0, 1}}), links, on(clusters));
        return times ? "it was simulated" : times.error().message;
    };
    EXPECT_EQ(refused(shared_ports(), "2x3"),
              "clusters 2x3 hold 6 ranks, but 4 ranks are to be simulated");
    auto unknown = shared_ports();
    unknown.memory.reset();
    EXPECT_EQ(refused(unknown, "2x2"), "copies between ranks of one host were not measured");
    EXPECT_EQ(refused(unknown, "4"), "it was simulated");
}

TEST(Hosts, IdleNeighboursAndUnusedMemoryChangeNothing) {
    EXPECT_TRUE(rc::check([] {
        const int hosts = *rc::gen::inRange(2, 8);
        std::vector<std::pair<int, int>> plain, leaders;
        for (int count = *rc::gen::inRange(1, 20); count > 0; --count) {
            const int from = *rc::gen::inRange(0, hosts);
            const int to = (from + *rc::gen::inRange(1, hosts)) % hosts;
            plain.emplace_back(from, to);
            leaders.emplace_back(2 * from, 2 * to);
        }
        const int first = *rc::gen::inRange(1, hosts);
        const double queue_bytes = *rc::gen::element(0., 64e3);
        LinkNetwork links{{6e6, 50e-6, queue_bytes}, Link{1.3e7, 5e-3, 256e3}, 20e-6};
        links.port.burst_bytes = 3000;
        const auto size = *rc::gen::inRange<std::uint64_t>(0, 100000);
        const Clusters apart({first, hosts - first});
        const auto graph = messages(hosts, size, plain);
        const auto alone = timed(graph, links, apart);
        links.memory = LinkNetwork::Memory{1e-6, 1e9, 2e9};
        RC_ASSERT(timed(graph, links, apart).finish_s == alone.finish_s);
        const auto doubled =
            Clusters::of_hosts({std::vector<int>(static_cast<std::size_t>(first), 2),
                                std::vector<int>(static_cast<std::size_t>(hosts - first), 2)});
        const auto beside = timed(messages(2 * hosts, size, leaders), links, doubled);
        for (std::size_t host = 0; host < alone.finish_s.size(); ++host)
            RC_ASSERT(beside.finish_s[2 * host] == alone.finish_s[host]);
        RC_ASSERT(beside.dropped_bytes() == alone.dropped_bytes());
    }));
}
