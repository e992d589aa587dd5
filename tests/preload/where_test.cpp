// SPDX-License-Identifier: BSD-3-Clause
// Clusters and hosts of ranks from sizes, host file and profile.
#include "preload/where.hpp"

#include <gtest/gtest.h>

namespace {

using namespace alltold;
using namespace alltold::preload;

Settings measured_on_two_clusters() {
    Settings settings;
    settings.hosts = {"a1", "a2", "b1.example.org"};
    settings.cluster_of_host = {0, 0, 1};
    return settings;
}

std::vector<int> clusters_of(const Settings& settings, std::vector<std::string> hosts) {
    const auto places = places_of_ranks(settings, hosts);
    EXPECT_TRUE(places);
    return places ? places->cluster_of : std::vector<int>();
}

TEST(Where, profile_knows_hosts_in_any_order) {
    const auto settings = measured_on_two_clusters();
    const std::vector<std::string> hosts{"b1", "a2", "a1.example.org", "a2"};
    EXPECT_EQ(*places_of_ranks(settings, hosts), (Places{{1, 0, 0, 0}, {0, 1, 2, 1}}));
}

TEST(Where, unknown_host_is_named) {
    const auto places =
        places_of_ranks(measured_on_two_clusters(), std::vector<std::string>{"a1", "c7"});
    ASSERT_FALSE(places);
    EXPECT_NE(places.error().message.find("host c7"), std::string::npos);
}

TEST(Where, sizes_come_first) {
    auto settings = measured_on_two_clusters();
    settings.cluster_sizes = "1+2";
    settings.host_file = "x\n# cluster: east\ny\n";
    const std::vector<std::string> hosts{"c1", "c1", "c2"};
    EXPECT_EQ(*places_of_ranks(settings, hosts), (Places{{0, 1, 1}, {0, 0, 1}}));
    settings.cluster_sizes = "1x2+1";
    EXPECT_EQ(*places_of_ranks(settings, hosts), (Places{{0, 0, 1}, {0, 0, 1}}));
    settings.cluster_sizes = "1+1";
    EXPECT_EQ(*places_of_ranks(settings, hosts), (Places{{0, 0, 1}, {0, 0, 1}}));
    settings.cluster_sizes = "2+2";
    EXPECT_FALSE(places_of_ranks(settings, hosts));
}

TEST(Where, host_file_comes_before_the_profile) {
    auto settings = measured_on_two_clusters();
    settings.host_file_name = "hosts";
    settings.host_file = "# cluster: east\nx\n# cluster: west\ny\n";
    EXPECT_EQ(clusters_of(settings, {"y", "x", "y"}), (std::vector{0, 1, 0}));
    settings.host_file = "a1\na2\n"; // names no cluster
    EXPECT_EQ(clusters_of(settings, {"b1", "a1"}), (std::vector{1, 0}));
}

TEST(Where, nothing_known_is_one_cluster) {
    const std::vector<std::string> hosts{"a", "b", "a"};
    EXPECT_EQ(*places_of_ranks(Settings{}, hosts), (Places{{0, 0, 0}, {0, 1, 0}}));
}

TEST(Where, ranks_count_as_the_profile_counted_them) {
    auto settings = measured_on_two_clusters();
    settings.ranks_are_hosts = true;
    const std::vector<std::string> hosts{"a1", "a1", "b1"};
    EXPECT_EQ(*places_of_ranks(settings, hosts), (Places{{0, 0, 1}, {0, 1, 2}}));
}

} // namespace
