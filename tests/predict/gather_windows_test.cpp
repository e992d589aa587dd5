// SPDX-License-Identifier: BSD-3-Clause
// Senders at once to a gather's root: within the port's buffer, and enough for the backbone's
// delay.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "predict/parameters/window_search.hpp"

namespace alltold {
namespace {

Network links(double rate, double buffer_bytes, double delay_s = 0) {
    Network network;
    network.links = LinkNetwork{{rate, 0, buffer_bytes}, {}};
    if (delay_s > 0) {
        network.links->backbone = Link{4 * rate, delay_s, 262144};
        network.links->initial_window_bytes = ten_segments_bytes;
    }
    return network;
}

Parameters windows(std::string_view algorithm, const Network& network, const Clusters& clusters,
                   std::uint64_t size_bytes) {
    return gather_windows(network, **find_algorithm(algorithm), clusters, size_bytes);
}

TEST(GatherWindows, KeepWholeMessagesWithinThePortsBuffer) {
    EXPECT_TRUE(rc::check([] {
        const auto buffer = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
        const auto size = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
        const int n = *rc::gen::inRange(2, 200);
        const auto found =
            windows("gather.windowed", links(6e6, double(buffer)), Clusters({n}), size);
        const auto window = static_cast<std::uint64_t>(found.window);
        RC_ASSERT(found.window >= 1 && found.window <= n - 1);
        // As TW99 counts, all may send where the last of them drains what the buffer lacks.
        RC_ASSERT(window == 1 || window * size <= buffer || size * unsigned(n - 1) <= 2 * buffer);
        RC_ASSERT(found.window == n - 1 || (window + 1) * size > buffer);
        RC_ASSERT(found.inter_cluster_window == 0);
    }));
}

TEST(GatherWindows, CoverTheStartOfAMessageFromAfar) {
    // 2.4 MB/s and 20 ms there and back; 32 KiB starts in 2 + log2(1 + 32768 / 14480) round trips,
    // 73.7 ms or 177 KB: five and a half messages beside the one that flows.
    const auto network = links(2.4e6, 65536, 0.01);
    EXPECT_EQ(windows("gather.clustered", network, Clusters({6, 6}), 32768).inter_cluster_window,
              7);
    EXPECT_EQ(windows("gather.clustered", network, Clusters({6, 6}), 32768).window, 2);
    EXPECT_EQ(windows("gather.clustered", network, Clusters({6, 6}), 131072).inter_cluster_window,
              3);
    EXPECT_EQ(windows("gather.clustered", network, Clusters({6, 6}), 131072).window, 1);
    // A first flight of 14,480 bytes each, of which a queue of 40,000 holds two.
    auto shallow = network;
    shallow.links->backbone->queue_bytes = 40000;
    EXPECT_EQ(windows("gather.clustered", shallow, Clusters({6, 6}), 32768).inter_cluster_window,
              2);
    // Two other clusters share the root's port.
    EXPECT_EQ(windows("gather.clustered", network, Clusters({6, 3, 3}), 32768).inter_cluster_window,
              4);
    // A single window must suit inter-cluster senders, or each sender would wait for the last.
    EXPECT_EQ(windows("gather.windowed", network, Clusters({6, 6}), 32768).window, 7);
    EXPECT_EQ(windows("gather.windowed", network, Clusters({12}), 32768).window, 2);
}

TEST(GatherWindows, HoldNobodyBackWhereMessagesAreSmall) {
    const auto network = links(2.4e6, 65536, 0.01);
    const auto found = windows("gather.clustered", network, Clusters({6, 6}), 1024);
    EXPECT_EQ(found.window, 11);
    EXPECT_EQ(found.inter_cluster_window, 11);
}

TEST(GatherWindows, AreOpenWhereNothingIsKnownAndForOthers) {
    const auto none = windows("gather.clustered", links(2.4e6, 0), Clusters({6, 6}), 65536);
    EXPECT_EQ(none.window, 0);
    EXPECT_EQ(none.inter_cluster_window, 0);
    EXPECT_EQ(windows("gather.flat", links(2.4e6, 65536), Clusters({12}), 65536).window, 0);
}

} // namespace
} // namespace alltold
