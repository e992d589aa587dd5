// SPDX-License-Identifier: BSD-3-Clause
// The right clusters from few pairs: small shapes, random shapes, a thousand hosts.
#include "topology/find_clusters.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "simulated.hpp"

namespace alltold::topology_tests {
namespace {

using Sizes = std::vector<int>;

/// Whether two hosts share a group of the one exactly where they share one of the other.
bool same_partition(const Sizes& one, const Sizes& other) {
    for (std::size_t a = 0; a < one.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if ((one[a] == one[b]) != (other[a] == other[b]))
                return false;
    return true;
}

TEST(FindClusters, FindsEveryShapeWhereverTheHostsAre) {
    for (const Sizes& sizes : {Sizes{1},
                               {2},
                               {3},
                               {5},
                               {12},
                               {6, 6},
                               {1, 5},
                               {5, 1},
                               {3, 7},
                               {4, 8, 4},
                               {2, 2, 2},
                               {1, 1, 4},
                               {2, 2},
                               {2, 1},
                               {11, 1},
                               {2, 10},
                               {3, 3, 3, 3},
                               {1, 6, 3, 2, 9}})
        for (const bool in_turn : {false, true})
            for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                Simulated network(hosts_of(sizes, in_turn), 100e-6, 700e-6, 0.3, seed);
                SearchOptions options;
                options.seed = seed;
                const auto found = network.find(options);
                ASSERT_TRUE(found);
                EXPECT_EQ(found->cluster_of, network.truth())
                    << testing::PrintToString(sizes) << (in_turn ? " in turn" : "");
            }
}

TEST(FindClusters, OneHostNeedsNoProbeAndTwoAreOneCluster) {
    Simulated one({0}, 1e-4, 1e-2, 0, 1);
    EXPECT_EQ(one.find()->pairs, 0);
    Simulated two({0, 1}, 1e-4, 1e-2, 0, 1);
    EXPECT_EQ(two.find()->cluster_of, (Sizes{0, 0})) << "nothing to compare the distance with";
}

TEST(FindClusters, AThousandHostsTakeFewPairsOfEach) {
    for (const Sizes& sizes : {Sizes{1000},
                               {500, 500},
                               {999, 1},
                               {700, 200, 100},
                               {250, 250, 250, 250},
                               {400, 300, 150, 80, 40, 20, 5, 3, 1, 1},
                               Sizes(20, 50)}) {
        Simulated network(hosts_of(sizes, true), 60e-6, 900e-6, 0.5, sizes.size());
        const auto found = network.find();
        ASSERT_TRUE(found);
        EXPECT_EQ(found->cluster_of, network.truth()) << testing::PrintToString(sizes);
        const int n = network.hosts();
        const int k = static_cast<int>(sizes.size());
        EXPECT_LE(found->pairs, n * (4 + k) + 3 * k * k) << testing::PrintToString(sizes);
        EXPECT_LE(found->pairs, n * most_pairs_a_host + k * k);
        EXPECT_LE(found->rounds, 12 + 6 * k) << testing::PrintToString(sizes);
    }
}

TEST(FindClusters, NeverProbesWithTheSquareOfTheHosts) {
    // Nothing but pairs: as many clusters as there can be.
    Simulated network(hosts_of(Sizes(500, 2), true), 60e-6, 900e-6, 0.2, 7);
    const auto found = network.find();
    ASSERT_TRUE(found);
    EXPECT_LE(found->pairs, 1000 * most_pairs_a_host + 1000);
}

// Three probes of two groups may all meet a spike: about one network in ten thousand comes out
// wrong.
TEST(FindClusters, RandomShapes) {
    Random random(1);
    const auto drawn = [&](std::size_t from, std::size_t to) {
        return from + random.index(to - from);
    };
    constexpr int networks = 2000;
    int wrong = 0;
    for (int network = 0; network < networks; ++network) {
        Sizes sizes(drawn(1, 6));
        for (auto& size : sizes)
            size = static_cast<int>(drawn(2, 15));
        auto cluster_of = hosts_of(sizes, false);
        for (auto i = cluster_of.size(); i > 1; --i)
            std::swap(cluster_of[i - 1], cluster_of[random.index(i)]);
        const double ratio = 4 + 100 * random.uniform();
        Simulated simulated(cluster_of, 50e-6, 50e-6 * ratio, 0.4, drawn(1, 1000000));
        const auto found = simulated.find();
        ASSERT_TRUE(found);
        const auto n = static_cast<int>(cluster_of.size());
        const auto count = static_cast<int>(sizes.size());
        EXPECT_LE(found->pairs, n * (4 + count) + 3 * count * count);
        wrong += !same_partition(found->cluster_of, cluster_of);
    }
    EXPECT_LE(wrong, networks / 500);
}

TEST(FindClusters, AnErrorOfTheProbeEndsTheSearch) {
    int calls = 0;
    const auto found = find_clusters(12, [&](auto) -> Result<std::vector<double>> {
        ++calls;
        return environment("the network is gone");
    });
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "the network is gone");
    EXPECT_EQ(calls, 1);
}

} // namespace
} // namespace alltold::topology_tests
