// SPDX-License-Identifier: BSD-3-Clause
// n ranks lie on as many hosts as that takes, in every cluster.
#include "topology/places.hpp"

#include <string>

#include <gtest/gtest.h>

namespace alltold::topology_tests {
namespace {

TEST(Spread, is_in_proportion_to_the_hosts) {
    EXPECT_EQ(spread(Clusters({6, 6}), 12).text(), "6+6");
    EXPECT_EQ(spread(Clusters({4, 8}), 6).text(), "2+4");
    EXPECT_EQ(spread(Clusters({1, 100}), 2).text(), "1+1");
    EXPECT_EQ(spread(Clusters({100, 1, 1}), 3).text(), "1+1+1");
    for (int n = 3; n < 200; ++n)
        EXPECT_EQ(spread(Clusters({5, 1, 7}), n).ranks(), n);
}

TEST(Spread, keeps_ranks_per_host) {
    const auto spread_text = [](const char* hosts, int n) {
        return spread(*Clusters::parse(hosts), n).text();
    };
    EXPECT_EQ(spread_text("4x3", 7), "2x3/1");
    EXPECT_EQ(spread_text("4x3", 12), "4x3");
    EXPECT_EQ(spread_text("4x3", 30), "10x3");
    EXPECT_EQ(spread_text("2x4+2x4", 16), "2x4+2x4");
    EXPECT_EQ(spread_text("2x4+2x4", 2), "1+1");
    EXPECT_EQ(spread_text("6+3", 3), "2+1");
}

TEST(Spread, is_as_even_and_as_uneven_as_hosts_allow) {
    const auto text = [](auto& of, const char* hosts, int n) {
        return of(*Clusters::parse(hosts), n).text();
    };
    EXPECT_EQ(text(spread_evenly, "2+4", 4), "2+2");
    EXPECT_EQ(text(spread_evenly, "1+5+3", 7), "1+3+3");
    EXPECT_EQ(text(spread_unevenly, "2+4", 4), "1+3");
    EXPECT_EQ(text(spread_unevenly, "1+5+3", 7), "1+5+1");
    EXPECT_EQ(text(spread_unevenly, "6+6", 7), "6+1");
    for (auto* of : {spread_evenly, spread_unevenly}) {
        EXPECT_EQ(text(*of, "2+4", 6), "2+4");
        EXPECT_EQ(text(*of, "2x4+2x4", 2), text(spread, "2x4+2x4", 2));
    }
}

TEST(Joined, is_one_cluster_of_all_hosts) {
    EXPECT_EQ(joined(*Clusters::parse("2x4/1x3+2")).text(), "2x4/1x3/2");
}

} // namespace
} // namespace alltold::topology_tests
