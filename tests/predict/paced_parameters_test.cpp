// SPDX-License-Identifier: BSD-3-Clause
// The paced exchange's segments and windows stay within what buffers hold, on any network.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "predict/parameters/paced_parameters.hpp"

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

void expect(const Parameters& found, std::uint64_t segment_bytes, int window,
            int inter_cluster_window) {
    EXPECT_EQ(found.segment_bytes, segment_bytes);
    EXPECT_EQ(found.window, window);
    EXPECT_EQ(found.inter_cluster_window, inter_cluster_window);
}

TEST(PacedParameters, StayAsTheyWereChosenInLabs) {
    expect(paced_parameters(lab(50, 65536), Clusters({12}), 65536), 4200, 15, 0);
    expect(paced_parameters(lab(20, 65536, {80 * mbit, 0.01, 262144}), Clusters({6, 6}), 32768),
           4200, 8, 13);
    expect(paced_parameters(lab(20, 65536, {100 * mbit, 0.01, 262144}), Clusters({12, 12}), 16384),
           4200, 8, 7);
    expect(paced_parameters(lab(20, 32768, {60 * mbit, 0.005, 131072}), Clusters({4, 8, 4}), 65536),
           2800, 6, 7);
    // Of 7,000 B each, all ranks of the largest cluster together overflow the backbone's queue.
    expect(paced_parameters(lab(5.5, 90112, {7.3 * mbit, 0.0006, 16384}), Clusters({1, 7, 1, 1}),
                            10209),
           1400, 30, 2);
}

void expect_straight(bool straight, const LinkNetwork& links, const Clusters& clusters,
                     std::uint64_t size_bytes) {
    const auto found = paced_parameters(links, clusters, size_bytes);
    const bool free =
        found.segment_bytes == 0 && found.window == 0 && found.inter_cluster_window == 0;
    EXPECT_EQ(free, straight) << clusters.text() << ", " << size_bytes;
}

TEST(PacedParameters, SendEverythingAtOnceWhereItFitsIntoBuffers) {
    expect_straight(true, lab(20, 131072), Clusters({8}), 16384);
    expect_straight(false, lab(20, 131072), Clusters({8}), 20000);
    expect_straight(true, lab(50, 65536), Clusters({12}), 4096);
    expect_straight(false, lab(50, 65536), Clusters({12}), 16384);
    // The backbone's queue holds 36 short blocks, not long ones.
    const auto two = lab(20, 65536, {80 * mbit, 0.01, 262144});
    expect_straight(true, two, Clusters({6, 6}), 8);
    expect_straight(false, two, Clusters({6, 6}), 32768);
}

TEST(PacedParameters, TakeTheLongestSegmentsWherePortsLoseNothing) {
    expect_straight(true, lab(1000, 0), Clusters({8}), 1 << 20);
    const auto found =
        paced_parameters(lab(1000, 0, {100 * mbit, 0.01, 262144}), Clusters({8, 8}), 1 << 20);
    EXPECT_EQ(found.segment_bytes, 15400u);
    EXPECT_GE(found.window, 1);
    EXPECT_GE(found.inter_cluster_window, 1);
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
        if (found.window == 0) {
            RC_ASSERT(found.inter_cluster_window == 0);
            RC_ASSERT(clusters.count() > 1 ||
                      static_cast<double>(size_bytes) * (clusters.ranks() - 1) <= buffer_bytes);
            return;
        }
        const double segment = std::min<double>(static_cast<double>(found.segment_bytes),
                                                static_cast<double>(size_bytes));
        // Half a segment of rounding.
        RC_ASSERT((found.window - 0.5) * segment <= buffer_bytes);
        RC_ASSERT((found.inter_cluster_window > 0) == (clusters.count() > 1));
        // All that clusters have under way to one, each as much as the others, spread evenly.
        const double of_cluster =
            (found.inter_cluster_window - 0.5) * segment * clusters.ranks() / clusters.count();
        for (int into = 0; into < clusters.count(); ++into) {
            double met_bytes = 0;
            for (int from = 0; from < clusters.count(); ++from)
                if (from != into)
                    met_bytes +=
                        of_cluster * clusters.size(into) / (clusters.ranks() - clusters.size(from));
            RC_ASSERT((found.inter_cluster_window <= 1 && segment <= 1400) ||
                      met_bytes <= latency_s * wan * mbit + queue_bytes);
        }
    }));
}

} // namespace
} // namespace alltold
