// SPDX-License-Identifier: BSD-3-Clause
// Cluster sizes are read, written and mapped to ranks without loss.
#include "topology/clusters.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

using namespace alltold;

TEST(Clusters, ReadsSizesAndMapsRanks) {
    const auto clusters = *Clusters::parse("4+8+4");
    EXPECT_EQ(clusters.count(), 3);
    EXPECT_EQ(clusters.ranks(), 16);
    EXPECT_EQ(clusters.cluster_of(3), 0);
    EXPECT_EQ(clusters.cluster_of(4), 1);
    EXPECT_EQ(clusters.cluster_of(15), 2);
    EXPECT_EQ(clusters.first(2), 12);
}

TEST(Clusters, RefusesWhatIsNoCluster) {
    for (const auto* text :
         {"", "0+3", "6+", "+6", "6+-1", "6,6", "a", "6+6x", "99999999999", "1000000+1"}) {
        const auto clusters = Clusters::parse(text);
        ASSERT_FALSE(clusters) << text;
        EXPECT_NE(clusters.error().message.find("clusters '" + std::string(text)),
                  std::string::npos);
    }
}

TEST(Clusters, EveryRankIsInTheClusterThatHoldsIt) {
    EXPECT_TRUE(rc::check("first(cluster_of(r)) <= r < first + size", [] {
        auto sizes =
            *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 20)));
        const Clusters clusters(sizes);
        RC_ASSERT(*Clusters::parse(clusters.text()) == clusters);
        for (int rank = 0; rank < clusters.ranks(); ++rank) {
            const int c = clusters.cluster_of(rank);
            RC_ASSERT(clusters.first(c) <= rank);
            RC_ASSERT(rank < clusters.first(c) + clusters.size(c));
        }
    }));
}
