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

/// Without Slurm.
Result<NearestPlaces> nearest_places(const Settings& settings,
                                     const std::vector<std::string>& hosts) {
    return places_of_ranks(settings, hosts,
                           [&] { return std::vector<std::uint64_t>(hosts.size()); });
}

/// On hosts that the profile knows.
Places known_places(const Settings& settings, const std::vector<std::string>& hosts) {
    const auto found = nearest_places(settings, hosts);
    EXPECT_TRUE(found && found->taken.empty());
    return found ? found->places : Places();
}

std::vector<int> clusters_of(const Settings& settings, const std::vector<std::string>& hosts) {
    return known_places(settings, hosts).cluster_of;
}

TEST(Where, profile_knows_hosts_in_any_order) {
    const auto settings = measured_on_two_clusters();
    const std::vector<std::string> hosts{"b1", "a2", "a1.example.org", "a2"};
    EXPECT_EQ(known_places(settings, hosts), (Places{{1, 0, 0, 0}, {0, 1, 2, 1}}));
}

TEST(Where, unknown_host_is_named) {
    const auto places = nearest_places(measured_on_two_clusters(), {"a1", "c7"});
    ASSERT_FALSE(places);
    EXPECT_NE(places.error().message.find("host c7"), std::string::npos);
}

TEST(Where, unknown_host_is_taken_for_one_with_a_name_like_it) {
    const auto settings = measured_on_two_clusters();
    const std::vector<std::string> hosts{"b7", "a2", "b7", "a30"};
    const auto found = nearest_places(settings, hosts);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->places, (Places{{1, 0, 1, 0}, {0, 1, 0, 2}}));
    EXPECT_EQ(found->taken, (std::vector<TakenHost>{{"b7", "b1.example.org", 1, false},
                                                    {"a30", "a2", 0, false}}));
    const auto refused = nearest_places(settings, {"b7", "c7"});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("host c7"), std::string::npos);
}

TEST(Where, switches_are_asked_for_where_a_host_is_unknown) {
    const auto settings = measured_on_two_clusters();
    int asked = 0;
    const auto switches = [&] {
        ++asked;
        return std::vector<std::uint64_t>{5, 6, 6};
    };
    const std::vector<std::string> known{"a1", "b1", "b1"}, unknown{"a1", "b1", "a7"};
    EXPECT_EQ(places_of_ranks(settings, known, switches)->places, known_places(settings, known));
    EXPECT_EQ(asked, 0);
    const auto found = places_of_ranks(settings, unknown, switches);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->places.cluster_of, (std::vector{0, 1, 1}));
    EXPECT_EQ(found->taken, (std::vector<TakenHost>{{"a7", "b1", 1, true}}));
    EXPECT_EQ(asked, 1);
}

TEST(Where, host_file_and_sizes_take_no_host_for_another) {
    auto settings = measured_on_two_clusters();
    settings.host_file_name = "hosts";
    settings.host_file = "# cluster: east\nx\n";
    EXPECT_FALSE(nearest_places(settings, {"x", "a7"})) << "a7 is not in the file";
    settings.cluster_sizes = "1+1";
    const auto given = nearest_places(settings, {"a1", "c7"});
    ASSERT_TRUE(given);
    EXPECT_EQ(given->places.cluster_of, (std::vector{0, 1}));
    EXPECT_TRUE(given->taken.empty());
}

TEST(Where, sizes_come_first) {
    auto settings = measured_on_two_clusters();
    settings.cluster_sizes = "1+2";
    settings.host_file = "x\n# cluster: east\ny\n";
    const std::vector<std::string> hosts{"c1", "c1", "c2"};
    EXPECT_EQ(known_places(settings, hosts), (Places{{0, 1, 1}, {0, 0, 1}}));
    settings.cluster_sizes = "1x2+1";
    EXPECT_EQ(known_places(settings, hosts), (Places{{0, 0, 1}, {0, 0, 1}}));
    settings.cluster_sizes = "1+1";
    EXPECT_EQ(known_places(settings, hosts), (Places{{0, 0, 1}, {0, 0, 1}}));
    settings.cluster_sizes = "2+2";
    EXPECT_FALSE(nearest_places(settings, hosts));
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
    EXPECT_EQ(known_places(Settings{}, hosts), (Places{{0, 0, 0}, {0, 1, 0}}));
}

TEST(Where, ranks_count_as_the_profile_counted_them) {
    auto settings = measured_on_two_clusters();
    settings.ranks_are_hosts = true;
    const std::vector<std::string> hosts{"a1", "a1", "b1"};
    EXPECT_EQ(known_places(settings, hosts), (Places{{0, 0, 1}, {0, 1, 2}}));
}

} // namespace
