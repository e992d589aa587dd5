// SPDX-License-Identifier: BSD-3-Clause
// TW99's Table 1 as the built-in profile has it, at values worked by hand.
#include <gtest/gtest.h>

#include "network/cluster/equations.hpp"
#include "predict/predict_algorithm.hpp"
#include "store/profile.hpp"

namespace alltold {
namespace {

constexpr double us = 1e-6;

TEST(ClusterProfile, is_table_1) {
    const auto profile = load_profile("@fast-ethernet-1999");
    ASSERT_TRUE(profile) << profile.error().message;
    const auto& cluster = *profile->network.cluster;
    EXPECT_FALSE(profile->network.local || profile->network.alltoall);
    // 40 bytes, the last of the first piece; 1000 bytes, in the second.
    EXPECT_DOUBLE_EQ(cluster.O_s(40), 7.472 * us);
    EXPECT_DOUBLE_EQ(cluster.T_s(40), 13.692 * us);
    EXPECT_DOUBLE_EQ(cluster.g_s(40), 6.73 * us);
    EXPECT_DOUBLE_EQ(cluster.g_r(1), 6.73 * us);
    EXPECT_DOUBLE_EQ(cluster.O_r(40), 13.949 * us);
    EXPECT_NEAR(cluster.O_s(1000), 31.67 * us, 1e-15);
    EXPECT_NEAR(cluster.T_s(1000), 88.48 * us, 1e-15);
    EXPECT_NEAR(cluster.g_s(1000), 82.627 * us, 1e-15);
    EXPECT_NEAR(cluster.g_r(1000), 83.786 * us, 1e-15);
    EXPECT_NEAR(cluster.O_r(1000), 55.076 * us, 1e-15);
    EXPECT_DOUBLE_EQ(cluster.U_r_s, 9.93 * us);
    // Two processes: 3.112 + 16.684 + 82.6. Sixteen: 16*1000 / (90 * 82.627) = 2.15157 times the
    // bandwidth term, 24.896 + 16.684 + 177.7197.
    EXPECT_NEAR(cluster.L_s(1000, 2), 102.396 * us, 1e-15);
    EXPECT_NEAR(cluster.L_s(1000, 16), 219.2997 * us, 1e-4 * us);
    EXPECT_DOUBLE_EQ(cluster.buffer_bytes / cluster.packet_bytes, 1935);
    EXPECT_DOUBLE_EQ(cluster.copy_memory_to_memory.time_s(1000), 33.156 * us);
}

TEST(ClusterProfile, gives_the_paper_a_window) {
    const auto cluster = *load_profile("@fast-ethernet-1999")->network.cluster;
    // 15 senders of 64 KiB: 44 packets each, 660 in all, which the switch holds: all at once.
    EXPECT_EQ(gather_window(cluster, 16, 65536), 15);
    // 1 MiB: 700 packets each, k = 10500, g_s/g_r = 122.427/123.186: 0.99384 * 10500/8565 = 1.218.
    EXPECT_EQ(gather_window(cluster, 16, 1 << 20), 1);
    // 256 KiB: 175 each, k = 2625: 0.99384 * 2625/690 = 3.78; 15 mod 3 = 0.
    EXPECT_EQ(gather_window(cluster, 16, 1 << 18), 3);
}

double predicted_s(const Network& network, const char* name, int n, std::uint64_t size_bytes,
                   int window = 0) {
    const auto& algorithm = **find_algorithm(name);
    const auto predicted = predict_as_given(
        network, algorithm, Specification::of(algorithm.collective, n, 0, size_bytes),
        Clusters({n}), {.window = window}, **algorithm_model("cluster"));
    EXPECT_TRUE(predicted) << predicted.error().message;
    return predicted->time_s.value;
}

TEST(ClusterProfile, equations_2_and_8_can_be_asked_for) {
    const auto network = load_profile("@fast-ethernet-1999")->network;
    const auto by = [&](const char* model, const char* name) {
        const auto& algorithm = **find_algorithm(name);
        return predict_algorithm(network, algorithm,
                                 Specification::of(algorithm.collective, 16, 0, 1 << 18),
                                 Clusters({16}), {}, **algorithm_model(model));
    };
    const auto gather = by("tw99", "gather.windowed");
    ASSERT_TRUE(gather) << gather.error().message;
    EXPECT_NEAR(gather->time_s.value / (15 * 175 * 123e-6), 1, 0.02);
    EXPECT_NEAR(by("cluster", "gather.windowed")->time_s.value / gather->time_s.value, 1, 0.05);
    EXPECT_TRUE(by("tw99", "bcast.binomial_segmented"));
    EXPECT_FALSE(by("tw99", "bcast.chain"));
}

TEST(ClusterProfile, long_messages_take_what_their_packets_take) {
    const auto network = load_profile("@fast-ethernet-1999")->network;
    // 700 packets of 1498 bytes, a gap of 122.3 us each, and one packet's way.
    EXPECT_NEAR(predicted_s(network, "bcast.flat", 2, 1 << 20), 0.0857, 0.001);
    const auto packets = network.cluster->packets_of(1 << 20);
    EXPECT_EQ(packets.count, 700);
    const double equation_8 =
        cluster_gather_s(*network.cluster, 16, packets.count, packets.size_bytes);
    EXPECT_NEAR(equation_8, 1.29, 0.01);
    for (const int window : {1, 3, 5, 15})
        EXPECT_NEAR(predicted_s(network, "gather.windowed", 16, 1 << 20, window) / equation_8, 1,
                    0.03)
            << window;
}

} // namespace
} // namespace alltold
