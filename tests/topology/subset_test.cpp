// SPDX-License-Identifier: BSD-3-Clause
// Subsets of clusters are whole hosts.
#include "topology/rank_order.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace alltold::topology_tests {
namespace {

Clusters clusters(const char* text) {
    return *Clusters::parse(text);
}

TEST(Subset, TakesTheFirstHostsWithAllTheirRanks) {
    const auto all = clusters("2x4/1x3+3x2");
    EXPECT_EQ(first_hosts(all, std::vector{3, 1}).text(), "2x4/1x3+1x2");
    EXPECT_EQ(share_of_hosts(all, 1. / 3).text(), "1x4+1x2");
    EXPECT_EQ(share_of_hosts(clusters("6+6"), 0.5).text(), "3+3");
    EXPECT_EQ(share_of_hosts(clusters("1x8+1"), 0.1).text(), "1x8+1");
}

TEST(Subset, KnowsWhatIsInside) {
    const auto all = clusters("2x4/1x3+3x2");
    for (const auto* inside : {"3+3", "1x4", "2x4/1x3", "1x2+1", "1x1/2x3", "2x4/1x3+3x2"})
        EXPECT_FALSE(place_of(clusters(inside), all).empty()) << inside;
    for (const auto* outside : {"4", "3x4", "1x5", "1+1+1", "1+1x3", "1+4"})
        EXPECT_TRUE(place_of(clusters(outside), all).empty()) << outside;
}

TEST(Subset, LiesInTheFirstClustersThatAreLargeEnough) {
    const auto place = [](const char* subset, const char* all) {
        return place_of(clusters(subset), clusters(all));
    };
    EXPECT_EQ(place("4", "1+4"), std::vector({1}));
    EXPECT_EQ(place("2", "2+7"), std::vector({0}));
    EXPECT_EQ(place("7+3", "2+7+3"), std::vector({1, 2}));
    EXPECT_EQ(place("2+3", "2+7+3"), std::vector({0, 1}));
    EXPECT_EQ(place("1x4", "3+2x4"), std::vector({1})) << "ranks of a host";
    EXPECT_TRUE(place("7+7", "2+7+3").empty());
}

TEST(Subset, OfAnyShareIsInside) {
    EXPECT_TRUE(rc::check("up to 4 clusters of 3 hosts", [] {
        const auto ranks = *rc::gen::container<std::vector<std::vector<int>>>(
            *rc::gen::inRange(1, 5),
            rc::gen::container<std::vector<int>>(3, rc::gen::inRange(1, 5)));
        const auto all = Clusters::of_hosts(ranks);
        const double share = *rc::gen::inRange(0, 101) / 100.;
        const auto subset = share_of_hosts(all, share);
        RC_ASSERT(!place_of(subset, all).empty());
        RC_ASSERT(subset.count() == all.count());
        for (int host = 0; host < subset.hosts(); ++host)
            RC_ASSERT(subset.ranks_of_host(host) >= 1);
        RC_ASSERT(share_of_hosts(all, 1) == all);
    }));
}

TEST(Subset, united_clusters_have_the_hosts_and_ranks_of_either) {
    const auto united_text = [](const char* a, const char* b) {
        return united(*Clusters::parse(a), *Clusters::parse(b)).text();
    };
    EXPECT_EQ(united_text("8", "2x32"), "2x32/6");
    EXPECT_EQ(united_text("4+4", "8"), "8+4");
    EXPECT_EQ(united_text("2", "3+1x2"), "3+1x2");
}

TEST(Subset, a_rank_moves_to_its_host_in_its_cluster) {
    const auto from = *Clusters::parse("2+2x2"), to = *Clusters::parse("1x3/3+3x2");
    EXPECT_EQ(moved_rank(0, from, to), 0);
    EXPECT_EQ(moved_rank(1, from, to), 3);
    EXPECT_EQ(moved_rank(2, from, to), 6);
    EXPECT_EQ(moved_rank(5, from, to), 9);
}

} // namespace
} // namespace alltold::topology_tests
