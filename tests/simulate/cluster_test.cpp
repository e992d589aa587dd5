// SPDX-License-Identifier: BSD-3-Clause
// Hand-worked examples under the cluster model.
#include <gtest/gtest.h>

#include "ranks.hpp"

using namespace alltold;
using namespace alltold::simulate;

namespace {

ClusterModel model(double O_s, double g_s, double L, double g_r, double O_r, double U_r) {
    const auto constant = [](double time_s) { return SizeCurve::line(time_s, 0); };
    ClusterModel result;
    result.O_s = constant(O_s);
    result.g_s = constant(g_s);
    result.g_r = constant(g_r);
    result.O_r = constant(O_r);
    result.U_r_s = U_r;
    result.L.base_s = L;
    return result;
}

using Seconds = std::vector<double>;

} // namespace

TEST(Cluster, OneMessagePassesEveryStage) {
    const auto graph = messages(2, 100, {{0, 1}});
    EXPECT_EQ(timed(graph, model(1, 3, 10, 4, 2, 1)).finish_s, (Seconds{1, 14}));
}

TEST(Cluster, SendsKeepTheGap) {
    const auto graph = messages(3, 100, {{0, 1}, {0, 2}});
    EXPECT_EQ(timed(graph, model(1, 3, 10, 4, 2, 1)).finish_s, (Seconds{4, 14, 17}));
    EXPECT_EQ(timed(graph, model(5, 3, 10, 4, 2, 1)).finish_s, (Seconds{10, 18, 23}));
}

TEST(Cluster, ReceivesKeepTheGapAndTheProcessor) {
    const auto graph = messages(3, 100, {{0, 2}, {1, 2}});
    EXPECT_EQ(timed(graph, model(1, 3, 10, 4, 2, 1)).time_s, 18);
    EXPECT_EQ(timed(graph, model(1, 3, 10, 4, 5, 1)).time_s, 23);
}

TEST(Cluster, AProcessorDoesOneThingAtATime) {
    // Signals land at 13 and 17 and keep the processor until 19 and 25; so the answer to the first
    // enters at 28, not at 22.
    Ranks ranks(2);
    const auto asked = ranks[0].await(1);
    ranks[0].await(1);
    ranks[0].send(bytes(9), 1, {asked});
    ranks[1].signal(0);
    ranks[1].signal(0);
    ranks[1].receive(into(9), 0);
    EXPECT_EQ(timed(graph_of(std::move(ranks)), model(3, 3, 10, 4, 5, 1)).finish_s,
              (Seconds{28, 44}));
}

TEST(Cluster, TransferGrowsWithAllRanks) {
    auto loaded = model(1, 3, 10, 4, 2, 1);
    loaded.L.per_process_s = 2;
    EXPECT_EQ(timed(messages(3, 100, {{0, 1}}), loaded).time_s, 20);
}

TEST(Cluster, CopiesTakeMtm) {
    Ranks ranks(1);
    ranks[0].copy(bytes(100), into(100));
    auto copying = model(1, 3, 10, 4, 2, 1);
    copying.copy_memory_to_memory = {5, 0.25};
    EXPECT_EQ(timed(graph_of(std::move(ranks)), copying).time_s, 30);
}

TEST(Cluster, ShortMessagesDoNotOvertake) {
    auto linear = model(1, 3, 10, 4, 2, 1);
    linear.L.beta_s_per_byte = 1;
    Ranks ranks(2);
    ranks[0].send(bytes(100), 1);
    ranks[0].send(bytes(1), 1);
    const auto first = ranks[1].receive(into(100), 0);
    ranks[1].receive(into(1, 100), 0, {first});
    // 1 + 110 + 3 for the first; the second one's last byte comes with it, a gap goes by.
    EXPECT_EQ(timed(graph_of(std::move(ranks)), linear).finish_s, (Seconds{4, 118}));
}

TEST(Cluster, SynchronousSendsTakeARoundTrip) {
    Ranks ranks(2);
    ranks[0].send(bytes(100), 1, {}, true);
    ranks[1].receive(into(100), 0);
    EXPECT_EQ(timed(graph_of(std::move(ranks)), model(1, 3, 10, 4, 2, 1)).time_s, 42);
}

TEST(Cluster, LossesFollowEquation4) {
    // 4 senders of 10 items against one port: A = 4 D, B = 5 items; D/A + B/k = 1/4 + 5/40 arrive.
    Ranks ranks(5);
    for (int item = 0; item < 10; ++item)
        for (int sender = 1; sender <= 4; ++sender) {
            ranks[static_cast<std::size_t>(sender)].send(bytes(100), 0);
            ranks[0].receive(into(100), sender);
        }
    const auto graph = graph_of(std::move(ranks));
    auto switched = model(0, 1, 10, 1, 0, 0);
    EXPECT_EQ(timed(graph, switched).dropped_bytes(), 0); // a buffer of 0 is not known
    switched.buffer_bytes = 500;
    const auto times = timed(graph, switched);
    EXPECT_NEAR(times.ports[0].dropped_bytes, (1 - 0.375) * 4000, 1e-6);
    EXPECT_NEAR(times.ports[0].peak_bytes, 3000, 1e-6);
    EXPECT_EQ(times.time_s, 49); // nothing is invented: 10 for the first, then one gap per item
    switched.buffer_bytes = 3000;
    EXPECT_EQ(timed(graph, switched).messages_hit(), 0);
}

namespace {

/// TW99's Table 1 above 40 bytes, seconds; a buffer of 200 packets.
ClusterModel fast_ethernet() {
    const auto line = [](double base_us, double slope_us) {
        return SizeCurve({{0, 1e-6 * base_us}, {1500, 1e-6 * (base_us + 1500 * slope_us)}});
    };
    ClusterModel result;
    result.O_s = line(6.37, 0.0253);
    result.g_s = line(3.027, 0.0796);
    result.g_r = line(4.986, 0.0788);
    result.O_r = line(12.176, 0.0429);
    result.U_r_s = 9.93e-6;
    result.L = {16.684e-6, 1.556e-6, 0.0826e-6, 90e6};
    result.packet_bytes = 1500;
    result.buffer_bytes = 200 * 1500;
    return result;
}

/// Senders to rank 0, each message of so many packets of 1490 bytes, whole or packet by packet.
EventGraph to_root(int senders, int packets, bool whole) {
    Ranks ranks(static_cast<std::size_t>(senders) + 1);
    for (int sender = 1; sender <= senders; ++sender)
        for (int i = 0; i < (whole ? 1 : packets); ++i) {
            const auto size = static_cast<std::uint64_t>(whole ? packets * 1490 : 1490);
            ranks[static_cast<std::size_t>(sender)].send(bytes(size), 0);
            ranks[0].receive(into(size), sender);
        }
    return graph_of(std::move(ranks));
}

} // namespace

TEST(Cluster, ALongMessageIsASequenceOfPackets) {
    const auto model = fast_ethernet();
    for (const int senders : {1, 2, 3, 7, 15})
        for (const int packets : {1, 2, 15, 16, 17, 100, 700}) {
            const double whole_s = timed(to_root(senders, packets, true), model).time_s;
            const double cut_s = timed(to_root(senders, packets, false), model).time_s;
            EXPECT_NEAR(whole_s / cut_s, 1, 0.01) << senders << " senders, " << packets;
        }
}

TEST(Cluster, LossesOfLongMessagesAreThoseOfTheirPackets) {
    const auto model = fast_ethernet();
    const auto dropped = [&](bool whole) {
        return timed(to_root(15, 100, whole), model).dropped_bytes();
    };
    EXPECT_GT(dropped(true), 1e6);
    EXPECT_NEAR(dropped(true) / dropped(false), 1, 0.02);
}

TEST(Cluster, TimeoutsOfKnownLengthAreReported) {
    auto model = fast_ethernet();
    model.buffer_bytes = 20 * 1500; // 15 flows have a packet each under way
    const auto graph = to_root(15, 100, true);
    EXPECT_TRUE(timed(graph, model).timeouts.empty());
    model.timeout_s = 0.2;
    const auto times = timed(graph, model);
    ASSERT_EQ(times.timeouts.size(), 15U);
    for (const auto& timeout : times.timeouts) {
        EXPECT_GT(timeout.chance, 0.2);
        EXPECT_GT(timeout.soonest_s, 0.2);
    }
}
