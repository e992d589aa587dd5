// SPDX-License-Identifier: BSD-3-Clause
// Ranks sorted into clusters.
#include "topology/rank_order.hpp"

#include <gtest/gtest.h>

namespace alltold::topology_tests {
namespace {

TEST(RankOrder, PutsClustersOneAfterTheOther) {
    const auto order = order_by_cluster(std::vector<int>{0, 1, 0, 2, 1, 0});
    EXPECT_EQ(order.clusters.text(), "3+2+1");
    EXPECT_EQ(order.ranks, (std::vector<int>{0, 2, 5, 1, 4, 3}));
    EXPECT_EQ(order.place_of(4), 4);
    EXPECT_EQ(order.place_of(1), 3);
    EXPECT_FALSE(order.in_place());
    EXPECT_TRUE(order_by_cluster(std::vector<int>{3, 3, 7}).in_place());
}

TEST(RankOrder, PutsHostsOneAfterTheOtherWithinAClusterAlsoWhenPlacedByNode) {
    // Three hosts of two clusters, ranks dealt out in turn.
    const auto order =
        order_by_host(std::vector<int>{0, 1, 0, 0, 1, 0, 0}, std::vector<int>{5, 9, 2, 5, 9, 2, 5});
    EXPECT_EQ(order.clusters.text(), "1x3/1x2+1x2");
    EXPECT_EQ(order.ranks, (std::vector<int>{0, 3, 6, 2, 5, 1, 4}));
}

TEST(RankOrder, AHostInTwoClustersIsTwoHosts) {
    const auto order = order_by_host(std::vector<int>{0, 1, 0, 1}, std::vector<int>{7, 7, 7, 7});
    EXPECT_EQ(order.clusters.text(), "1x2+1x2");
    EXPECT_EQ(order.ranks, (std::vector<int>{0, 2, 1, 3}));
}

TEST(RankOrder, NumbersGroupsByAppearance) {
    EXPECT_EQ(numbered_by_appearance(std::vector<int>{7, 2, 7, 0, 2}),
              (std::vector<int>{0, 1, 0, 2, 1}));
}

} // namespace
} // namespace alltold::topology_tests
