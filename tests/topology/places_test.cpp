// SPDX-License-Identifier: BSD-3-Clause
// Sizes as text, with the hosts that are there.
#include "topology/places.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "topology/clusters.hpp"
#include "topology/rank_order.hpp"

namespace alltold::topology_tests {
namespace {

/// The clusters in order, or the error.
std::string given(const std::string& text, const std::vector<int>& host_of) {
    const auto places = places_given(text, "--clusters", host_of);
    return places ? order_by_host(places->cluster_of, places->host_of).clusters.text()
                  : places.error().message;
}

const std::vector<int> by_slot{4, 4, 4, 7, 7, 7, 1, 1}, by_node{4, 7, 1, 4, 7, 1, 4, 7};

TEST(Places, SizesThatCountHostsTakeTheRanksOfEach) {
    EXPECT_EQ(given("3", by_slot), "2x3/1x2");
    EXPECT_EQ(given("2+1", by_slot), "2x3+1x2");
    EXPECT_EQ(given("2+1", by_node), "2x3+1x2");
    EXPECT_EQ(places_given("1+2", "", by_node)->cluster_of,
              (std::vector<int>{0, 1, 1, 0, 1, 1, 0, 1}));
}

TEST(Places, SizesThatCountRanksTakeTheHostsThatAreThere) {
    EXPECT_EQ(given("8", by_node), "2x3/1x2");
    EXPECT_EQ(given("6+2", by_slot), "2x3+1x2");
    EXPECT_EQ(given("4+4", by_slot), "1x3/1+2x2") << "a host in two clusters is two hosts";
}

TEST(Places, RanksPerHostOverrideTheNames) {
    EXPECT_EQ(given("2x3/1x2", by_node), "2x3/1x2");
    EXPECT_EQ(places_given("2x3/1x2", "", by_node)->host_of,
              (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1}));
    EXPECT_EQ(given("2x4", by_slot), "2x4");
    EXPECT_EQ(places_given("2x4", "", by_slot)->host_of,
              (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(given("1x2/2x3", by_slot), "1x2/2x3") << "three hosts, but not these";
}

TEST(Places, OnOneHostSizesSayWhatCountsAsAHost) {
    const std::vector<int> here(5, 3);
    EXPECT_EQ(given("2+3", here), "2+3");
    EXPECT_EQ(given("1x2+3", here), "1x2+3");
    EXPECT_EQ(given("1x5", here), "1x5");
    EXPECT_EQ(given("1", here), "--clusters 1: 1 ranks are needed, but 5 were started");
}

TEST(Places, SaysWhatDoesNotMatch) {
    EXPECT_EQ(given("2+2", by_slot), "--clusters 2+2: 4 ranks or 4 hosts are needed, but 8 ranks "
                                     "on 3 hosts were started");
    EXPECT_EQ(given("2x5", by_slot),
              "--clusters 2x5: 10 ranks are needed, but 8 ranks on 3 hosts were started");
    EXPECT_EQ(given("3+6", {0, 1, 2}), "--clusters 3+6: 9 ranks are needed, but 3 were started");
    EXPECT_EQ(given("3+x", by_slot).substr(0, 12), "--clusters: ");
}

TEST(Places, OneRankPerHostIsAsWritten) {
    EXPECT_TRUE(rc::check("up to 4 clusters of up to 5 hosts", [] {
        auto sizes = *rc::gen::container<std::vector<int>>(4, rc::gen::inRange(1, 6));
        sizes.resize(static_cast<std::size_t>(*rc::gen::inRange(1, 5)));
        const Clusters clusters(sizes);
        std::vector<int> hosts;
        for (int rank = 0; rank < clusters.ranks(); ++rank)
            hosts.push_back(100 - rank);
        RC_ASSERT(given(clusters.text(), hosts) == clusters.text());
    }));
}

TEST(Places, EqualNamesAreOneHost) {
    EXPECT_EQ(numbered_by_appearance(std::vector<std::string>{"b", "a", "b", "c"}),
              (std::vector<int>{0, 1, 0, 2}));
}

} // namespace
} // namespace alltold::topology_tests
