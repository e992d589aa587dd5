// SPDX-License-Identifier: BSD-3-Clause
// Which gaps make clusters and which do not.
#include "topology/find_clusters.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace alltold::topology_tests {
namespace {

/// All pairs of `hosts` hosts, at `distance_s(a, b)` with a < b.
std::vector<Distance> all_pairs(int hosts, const std::function<double(int, int)>& distance_s) {
    std::vector<Distance> known;
    for (int b = 0; b < hosts; ++b)
        for (int a = 0; a < b; ++a)
            known.push_back({a, b, distance_s(a, b)});
    return known;
}

std::vector<int> answer(int hosts, const std::function<double(int, int)>& distance_s,
                        const Separation& rule = {}) {
    return group_by_distance(hosts, all_pairs(hosts, distance_s), rule, Stage::answer);
}

using Groups = std::vector<int>;

TEST(Distances, FasterHostsInOneClusterDoNotTearAnotherApart) {
    // 0-2 are 2 us apart, 3-5 100 us, and the two groups 1 ms: the lower gap is wider.
    const auto found = answer(6, [](int a, int b) {
        return b < 3 ? 2e-6 : a >= 3 ? 100e-6 : 1e-3;
    });
    EXPECT_EQ(found, (Groups{0, 0, 0, 1, 1, 1}));
}

TEST(Distances, NearClustersFarFromAThird) {
    const auto found = answer(6, [](int a, int b) {
        return a / 2 == b / 2 ? 100e-6 : b < 4 ? 1e-3 : 20e-3;
    });
    EXPECT_EQ(found, (Groups{0, 0, 1, 1, 2, 2}));
}

TEST(Distances, TwoCloseHostsMakeNoElevenClusters) {
    EXPECT_EQ(answer(12, [](int, int b) { return b == 1 ? 20e-6 : 100e-6; }), Groups(12, 0));
}

TEST(Distances, AGapMustBeWideAndWorthIt) {
    const auto two = [](double intra_cluster_s, double inter_cluster_s) {
        return [=](int a, int b) { return a / 3 == b / 3 ? intra_cluster_s : inter_cluster_s; };
    };
    EXPECT_EQ(answer(6, two(100e-6, 180e-6)), Groups(6, 0)) << "not twice as far";
    EXPECT_EQ(answer(6, two(100e-6, 220e-6)), (Groups{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(answer(6, two(2e-6, 15e-6)), Groups(6, 0)) << "seven times as far, but 13 us";
}

TEST(Distances, ALoneHostMustBeFurther) {
    const auto lone = [](double inter_cluster_s) {
        return [=](int, int b) { return b == 5 ? inter_cluster_s : 100e-6; };
    };
    EXPECT_EQ(answer(6, lone(280e-6)), Groups(6, 0)) << "busy, perhaps";
    EXPECT_EQ(answer(6, lone(320e-6)), (Groups{0, 0, 0, 0, 0, 1}));
}

TEST(Distances, ABusyHostDoesNotHideTwoClusters) {
    const auto found = answer(7, [](int a, int b) {
        return b == 6 ? 2.5e-3 : a / 3 == b / 3 ? 100e-6 : 1e-3;
    });
    EXPECT_EQ(found, (Groups{0, 0, 0, 1, 1, 1, 2}));
}

TEST(Distances, SlowHostsAreNoClustersWhereGroupsMustBeLarger) {
    Separation rule;
    rule.smallest = 2;
    const auto slow_last_two = [](int, int b) { return b >= 6 ? 50e-3 : 10e-3; };
    EXPECT_EQ(answer(8, slow_last_two, rule), Groups(8, 0));
    const auto behind_backbone = [](int a, int b) { return a / 4 == b / 4 ? 10e-3 : 50e-3; };
    EXPECT_EQ(answer(8, behind_backbone, rule), (Groups{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(Distances, UnknownPairsAreApartAndEquallyFarOnesTogether) {
    EXPECT_EQ(group_by_distance(3, std::vector<Distance>{{0, 2, 1e-4}}, {}, Stage::search),
              (Groups{0, 1, 0}));
    EXPECT_EQ(answer(5, [](int, int) { return 0.3; }), Groups(5, 0));
}

} // namespace
} // namespace alltold::topology_tests
