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

TEST(Clusters, ReadsRanksPerHost) {
    const auto clusters = *Clusters::parse("6x4+3x8");
    EXPECT_EQ(clusters.count(), 2);
    EXPECT_EQ(clusters.ranks(), 48);
    EXPECT_EQ(clusters.size(0), 24);
    EXPECT_EQ(clusters.hosts(), 9);
    EXPECT_EQ(clusters.hosts(1), 3);
    EXPECT_EQ(clusters.first_host(1), 6);
    EXPECT_EQ(clusters.host_of(23), 5);
    EXPECT_EQ(clusters.host_of(24), 6);
    EXPECT_EQ(clusters.first_of_host(7), 32);
    EXPECT_EQ(clusters.ranks_of_host(8), 8);
    EXPECT_EQ(clusters.most_ranks_of_a_host(), 8);
    EXPECT_EQ(clusters.leaders(), *Clusters::parse("6+3"));
    EXPECT_EQ(clusters.text(), "6x4+3x8");
    EXPECT_NE(clusters, *Clusters::parse("24+24"));
}

TEST(Clusters, HostsOfOneClusterMayDiffer) {
    const auto clusters = *Clusters::parse("1x4/1x3/1/2x4+8");
    EXPECT_EQ(clusters.sizes()[0], 16);
    EXPECT_EQ(clusters.hosts(0), 5);
    EXPECT_EQ(clusters.ranks_of_host(2), 1);
    EXPECT_EQ(clusters.text(), "1x4/1x3/1/2x4+8");
}

TEST(Clusters, OneRankPerHostIsTheOldNotation) {
    EXPECT_EQ(*Clusters::parse("4x1+2"), *Clusters::parse("4+2"));
    EXPECT_TRUE(Clusters::parse("4x1")->one_rank_per_host());
    EXPECT_EQ(Clusters::parse("4x1")->hosts(), 4);
    EXPECT_EQ(Clusters::parse("1x12")->text(), "1x12");
}

TEST(Clusters, RefusesWhatIsNoHost) {
    for (const auto* text :
         {"6x", "x4", "6x0", "0x4", "6x4x2", "6x4/", "/6", "6x4,2", "600x600000"})
        EXPECT_FALSE(Clusters::parse(text)) << text;
}

TEST(Clusters, EveryRankIsOnTheHostThatHoldsIt) {
    EXPECT_TRUE(rc::check("first_of_host(host_of(r)) <= r < first_of_host + ranks_of_host", [] {
        const auto hosts =
            rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 5)));
        const auto clusters = Clusters::of_hosts(
            *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<int>>>(hosts)));
        RC_ASSERT(*Clusters::parse(clusters.text()) == clusters);
        int ranks = 0;
        for (int host = 0; host < clusters.hosts(); ++host)
            ranks += clusters.ranks_of_host(host);
        RC_ASSERT(ranks == clusters.ranks());
        for (int rank = 0; rank < clusters.ranks(); ++rank) {
            const int host = clusters.host_of(rank), cluster = clusters.cluster_of(rank);
            RC_ASSERT(clusters.first_of_host(host) <= rank);
            RC_ASSERT(rank < clusters.first_of_host(host) + clusters.ranks_of_host(host));
            RC_ASSERT(clusters.first_host(cluster) <= host);
            RC_ASSERT(host < clusters.first_host(cluster + 1));
        }
    }));
}
