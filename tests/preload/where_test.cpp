// SPDX-License-Identifier: BSD-3-Clause
// Clusters of ranks from sizes, host file and profile.
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

TEST(Where, profile_knows_hosts_in_any_order) {
    const auto settings = measured_on_two_clusters();
    const std::vector<std::string> hosts{"b1", "a2", "a1.example.org", "a2"};
    EXPECT_TRUE(needs_hosts(settings));
    EXPECT_EQ(*clusters_of_ranks(settings, 4, hosts), (std::vector{1, 0, 0, 0}));
}

TEST(Where, unknown_host_is_named) {
    const auto clusters =
        clusters_of_ranks(measured_on_two_clusters(), 2, std::vector<std::string>{"a1", "c7"});
    ASSERT_FALSE(clusters);
    EXPECT_NE(clusters.error().message.find("host c7"), std::string::npos);
}

TEST(Where, sizes_come_first) {
    auto settings = measured_on_two_clusters();
    settings.cluster_sizes = "1+2";
    settings.host_file = "x\n# cluster: east\ny\n";
    EXPECT_FALSE(needs_hosts(settings));
    EXPECT_EQ(*clusters_of_ranks(settings, 3, {}), (std::vector{0, 1, 1}));
    EXPECT_FALSE(clusters_of_ranks(settings, 4, {}));
}

TEST(Where, host_file_comes_before_the_profile) {
    auto settings = measured_on_two_clusters();
    settings.host_file_name = "hosts";
    settings.host_file = "# cluster: east\nx\n# cluster: west\ny\n";
    EXPECT_EQ(*clusters_of_ranks(settings, 3, std::vector<std::string>{"y", "x", "y"}),
              (std::vector{0, 1, 0}));
    settings.host_file = "a1\na2\n"; // names no cluster
    EXPECT_EQ(*clusters_of_ranks(settings, 2, std::vector<std::string>{"b1", "a1"}),
              (std::vector{1, 0}));
}

TEST(Where, nothing_known_is_one_cluster) {
    EXPECT_FALSE(needs_hosts(Settings{}));
    EXPECT_TRUE(clusters_of_ranks(Settings{}, 3, {})->empty());
}

} // namespace
