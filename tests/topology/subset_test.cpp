// SPDX-License-Identifier: BSD-3-Clause
// Subsets of clusters are whole hosts.
#include "topology/subset.hpp"

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
    EXPECT_EQ(first_clusters(all, 1).text(), "2x4/1x3");
    EXPECT_EQ(share_of_hosts(all, 1. / 3).text(), "1x4+1x2");
    EXPECT_EQ(share_of_hosts(clusters("6+6"), 0.5).text(), "3+3");
    EXPECT_EQ(share_of_hosts(clusters("1x8+1"), 0.1).text(), "1x8+1");
}

TEST(Subset, KnowsWhatIsInside) {
    const auto all = clusters("2x4/1x3+3x2");
    for (const auto* inside : {"3+3", "1x4", "2x4/1x3", "1x2+1", "1x1/2x3", "2x4/1x3+3x2"})
        EXPECT_TRUE(holds(all, clusters(inside))) << inside;
    for (const auto* outside : {"4", "3x4", "1x5", "1+1+1", "1+1x3", "1+4"})
        EXPECT_FALSE(holds(all, clusters(outside))) << outside;
}

TEST(Subset, OfAnyShareIsInside) {
    EXPECT_TRUE(rc::check("up to 4 clusters of 3 hosts", [] {
        const auto ranks = *rc::gen::container<std::vector<std::vector<int>>>(
            *rc::gen::inRange(1, 5),
            rc::gen::container<std::vector<int>>(3, rc::gen::inRange(1, 5)));
        const auto all = Clusters::of_hosts(ranks);
        const double share = *rc::gen::inRange(0, 101) / 100.;
        const auto subset = share_of_hosts(all, share);
        RC_ASSERT(holds(all, subset));
        RC_ASSERT(subset.count() == all.count());
        for (int host = 0; host < subset.hosts(); ++host)
            RC_ASSERT(subset.ranks_of_host(host) >= 1);
        RC_ASSERT(share_of_hosts(all, 1) == all);
    }));
}

} // namespace
} // namespace alltold::topology_tests
