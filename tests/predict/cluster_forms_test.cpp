// SPDX-License-Identifier: BSD-3-Clause
// TW99's equations against numbers worked by hand.
#include <gtest/gtest.h>

#include "network/cluster/equations.hpp"

namespace alltold {
namespace {

/// The figures of TW99's Fig. 3: O_s = 0.4, L = 1.3, O_r = 0.6, U_r = 0.7, gaps of 1; a buffer of
/// 100 packets of 10 bytes.
ClusterModel figure_3() {
    ClusterModel cluster;
    cluster.O_s = SizeCurve({{0, 0.4}});
    cluster.g_s = cluster.g_r = SizeCurve({{0, 1}});
    cluster.O_r = SizeCurve({{0, 0.6}});
    cluster.U_r_s = 0.7;
    cluster.L.base_s = 1.3;
    cluster.buffer_bytes = 1000;
    cluster.packet_bytes = 10;
    return cluster;
}

TEST(PacketBroadcast, ten_packets_to_sixteen) {
    EXPECT_DOUBLE_EQ(cluster_broadcast_s(figure_3(), 16, 10, 10), 50.7); // 9*(3 + 1.3) + 4*3
    EXPECT_DOUBLE_EQ(cluster_broadcast_s(figure_3(), 2, 1, 10), 3);
    EXPECT_DOUBLE_EQ(cluster_broadcast_s(figure_3(), 9, 10, 10), 50.7) << "9 need rounds of 16";
    EXPECT_EQ(cluster_broadcast_s(figure_3(), 1, 10, 10), 0);
}

TEST(GatherWindow, between_idling_and_losing) {
    EXPECT_EQ(fewest_senders(12, 5), 3);
    EXPECT_EQ(fewest_senders(5, 5), 1);
    EXPECT_EQ(most_senders(12, 5, 15, 10, 100), 7);  // 2.4 * 150/50 = 7.2
    EXPECT_EQ(most_senders(12, 5, 15, 10, 150), 15); // all of it fits
    EXPECT_EQ(most_senders(12, 5, 15, 10, 149), 15); // 360, but there are 15
    EXPECT_EQ(sender_window(15, 3, 7), 6);           // 7 would leave 1, 6 leaves 3
    EXPECT_EQ(sender_window(14, 3, 7), 7);           // erratum: nothing is left
    EXPECT_EQ(sender_window(5, 4, 4), std::nullopt); // 4 would leave 1
    EXPECT_EQ(sender_window(5, 2, 1), std::nullopt);
    // 15 senders of 20 packets, buffer 100: 1 * 300/200 = 1.5.
    EXPECT_EQ(gather_window(figure_3(), 16, 200), 1);
    // 15 senders of 9 packets: 135/35 = 3.9, and 3 leaves nothing.
    EXPECT_EQ(gather_window(figure_3(), 16, 90), 3);
    EXPECT_EQ(gather_window(figure_3(), 16, 60), 15);
    EXPECT_EQ(gather_window(ClusterModel(), 16, 60), std::nullopt);
}

TEST(GatherWindow, equation_8) {
    // C1 = 0.4 + 1.3, C2 = 0.6 + 0.7 = 1.3, which is slower than the port's 1: D = 1.3.
    EXPECT_DOUBLE_EQ(cluster_gather_s(figure_3(), 5, 10, 10), 55); // 1.7 + 40*1.3 + 1.3
    EXPECT_EQ(cluster_gather_s(figure_3(), 1, 10, 10), 0);
}

} // namespace
} // namespace alltold
