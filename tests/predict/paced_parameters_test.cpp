// SPDX-License-Identifier: BSD-3-Clause
// The paced exchange's chunks and windows stay within what buffers hold, on any network.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/bounds.hpp"
#include "predict/paced_parameters.hpp"

namespace alltold {
namespace {

constexpr double mbit = 1e6 / 8 * 1448 / 1514;

LinkNetwork lab(double nic_mbit, double buffer_bytes) {
    LinkNetwork links;
    links.port = {nic_mbit * mbit, 0, buffer_bytes};
    return links;
}

LinkNetwork lab(double nic_mbit, double buffer_bytes, Link backbone) {
    auto links = lab(nic_mbit, buffer_bytes);
    links.backbone = backbone;
    return links;
}

void expect(const Parameters& found, std::uint64_t segment_bytes, int window, int wide_window) {
    EXPECT_EQ(found.segment_bytes, segment_bytes);
    EXPECT_EQ(found.window, window);
    EXPECT_EQ(found.wide_window, wide_window);
}

TEST(PacedParameters, StayAsTheyWereChosenInLabs) {
    expect(paced_parameters(lab(50, 65536), Clusters({12}), 65536), 4096, 16, 0);
    expect(paced_parameters(lab(20, 65536, {80 * mbit, 0.01, 262144}), Clusters({6, 6}), 32768),
           8192, 4, 12);
    expect(paced_parameters(lab(20, 65536, {100 * mbit, 0.01, 262144}), Clusters({12, 12}), 16384),
           8192, 2, 5);
    expect(paced_parameters(lab(20, 32768, {60 * mbit, 0.005, 131072}), Clusters({4, 8, 4}), 65536),
           4096, 2, 8);
}

TEST(PacedParameters, LetSmallMessagesGoAtOnce) {
    const auto found =
        paced_parameters(lab(20, 65536, {80 * mbit, 0.01, 262144}), Clusters({6, 6}), 8);
    EXPECT_GE(found.window, 11);
    EXPECT_GE(found.wide_window, 6);
}

TEST(PacedParameters, TakeTheLongestChunksWhereNothingIsLost) {
    const auto found = paced_parameters(lab(1000, 0), Clusters({8}), 1 << 20);
    EXPECT_EQ(found.segment_bytes, 16384u);
    EXPECT_GE(found.window, 1);
}

TEST(PacedParameters, KeepWithinBuffersAndQueues) {
    EXPECT_TRUE(rc::check([] {
        const auto clusters = Clusters(*rc::gen::container<std::vector<int>>(
            *rc::gen::inRange(1, 5), rc::gen::inRange(1, 17)));
        const double buffer_bytes = *rc::gen::inRange(16384, 1 << 20);
        const auto nic = *rc::gen::inRange(1, 1000), wan = *rc::gen::inRange(1, 1000);
        const double latency_s = *rc::gen::inRange(0, 100) * 1e-3;
        const double queue_bytes = *rc::gen::inRange(65536, 1 << 20);
        const auto links = lab(nic, buffer_bytes, {wan * mbit, latency_s, queue_bytes});
        const auto size_bytes = static_cast<std::uint64_t>(*rc::gen::inRange(1, 1 << 20));
        const auto found = paced_parameters(links, clusters, size_bytes);
        RC_ASSERT(found.window >= 1);
        const double chunk = std::min<double>(static_cast<double>(found.segment_bytes),
                                              static_cast<double>(size_bytes));
        // Half a chunk of rounding.
        RC_ASSERT((found.window - 0.5) * chunk <= buffer_bytes);
        RC_ASSERT((found.wide_window > 0) == (clusters.count() > 1));
        if (clusters.count() == 1 || alltoall_wan_bound_s(clusters, 1, {wan * mbit, 0}) <
                                         alltoall_nic_bound_s(clusters.ranks(), 1, nic * mbit))
            return;
        const double room_bytes = 2 * latency_s * wan * mbit + queue_bytes;
        RC_ASSERT(found.wide_window == 1 || clusters.ranks() * (found.wide_window - 0.5) * chunk <=
                                                clusters.count() * room_bytes);
    }));
}

} // namespace
} // namespace alltold
