// SPDX-License-Identifier: BSD-3-Clause
// The control tree reaches everyone once, in few hops, and crosses clusters seldom.
#include "campaign/engine/tree.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

using namespace alltold;
using namespace alltold::campaign;

TEST(Tree, ReachesEveryoneOnceInFewHops) {
    EXPECT_TRUE(rc::check("parents and children agree, every path ends at the root", [] {
        const auto sizes =
            *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 40)));
        const Clusters world(sizes);
        std::vector<int> members(static_cast<std::size_t>(world.ranks()));
        std::iota(members.begin(), members.end(), 0);
        const int fan_out = *rc::gen::inRange(1, 20);
        const Tree tree(members, world, fan_out);
        int crossings = 0;
        for (const int rank : members) {
            int hops = 0;
            for (int at = rank; at != tree.root(); at = tree.parent(at), ++hops) {
                const auto& siblings = tree.children(tree.parent(at));
                RC_ASSERT(std::count(siblings.begin(), siblings.end(), at) == 1);
                RC_ASSERT(hops <= world.ranks());
            }
            RC_ASSERT(tree.children(rank).size() <= static_cast<std::size_t>(2 * fan_out));
            if (rank != tree.root())
                crossings += world.cluster_of(rank) != world.cluster_of(tree.parent(rank));
        }
        RC_ASSERT(crossings == world.count() - 1);
    }));
}

TEST(Tree, AThousandRanksAreThreeHopsAway) {
    const Clusters world({1000});
    std::vector<int> members(1000);
    std::iota(members.begin(), members.end(), 0);
    const Tree tree(members, world);
    int most_hops = 0;
    for (const int rank : members) {
        int hops = 0;
        for (int at = rank; at != 0; at = tree.parent(at))
            ++hops;
        most_hops = std::max(most_hops, hops);
    }
    EXPECT_EQ(most_hops, 3);
}

TEST(Tree, HangsAPairFarFromTheRootOnIt) {
    const std::vector<int> members{0, 7, 9};
    const Tree tree(members, Clusters({6, 6}));
    EXPECT_EQ(tree.parent(7), 0);
    EXPECT_EQ(tree.parent(9), 7);
    EXPECT_FALSE(tree.has(8));
}
