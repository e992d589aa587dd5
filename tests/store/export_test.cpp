// SPDX-License-Identifier: BSD-3-Clause
// Samples, schedules and networks in other tools' formats.
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "schedule/algorithms/algorithm.hpp"
#include "store/export/export.hpp"

namespace alltold {
namespace {

std::size_t count_of(const std::string& text, const std::string& words) {
    std::size_t count = 0;
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
        ++count;
    return count;
}

TEST(ExportCsv, has_a_line_for_every_sample) {
    const std::vector<PointSamples> points{
        {{"pingpong", "mpi", Clusters({1, 1}), 1024, 0, 3},
         {{0, 0.1, true, 5}, {1, 1. / 3, false, 6, 340}}},
        {{"bcast", "a,\"b\"", Clusters({4}), 8}, {{0, 2e-6, false, 7}}}};
    EXPECT_EQ(samples_csv(points),
              std::string(csv_header) +
                  "\n"
                  "pingpong,mpi,1+1,1024,0,3,0,0,1,0.1,5,,,\n"
                  "pingpong,mpi,1+1,1024,0,3,0,1,0,0.3333333333333333,6,340,,\n"
                  "bcast,\"a,\"\"b\"\"\",4,8,-1,-1,0,0,0,2e-06,7,,,\n");
}

TEST(ExportGoal, writes_operations_and_edges) {
    const auto& chain = **find_algorithm("bcast.chain");
    const auto schedules = schedules_of(chain, Specification::of(Collective::bcast, 3, 0, 100), {});
    EXPECT_EQ(goal_text(schedules), "num_ranks 3\n"
                                    "\nrank 0 {\nl0: send 100b to 1 tag 0\n}\n"
                                    "\nrank 1 {\nl0: recv 100b from 0 tag 0\n"
                                    "l1: send 100b to 2 tag 0\nl1 requires l0\n}\n"
                                    "\nrank 2 {\nl0: recv 100b from 1 tag 0\n}\n");
}

TEST(ExportGoal, every_message_has_both_ends) {
    for (const auto* algorithm : registry()) {
        Parameters parameters{.segment_bytes = 700, .window = 2, .inter_cluster_window = 2};
        if (algorithm->segment == Algorithm::Use::no)
            parameters.segment_bytes = 0;
        if (algorithm->window == Algorithm::Use::no)
            parameters.window = 0;
        if (algorithm->inter_cluster_window == Algorithm::Use::no)
            parameters.inter_cluster_window = 0;
        if (algorithm->takes_clusters())
            parameters.clusters = algorithm->hosts == Algorithm::Use::must
                                      ? Clusters::of_hosts({{2, 3}})
                                      : Clusters({2, 3});
        const auto text = goal_text(schedules_of(
            *algorithm, Specification::of(algorithm->collective, 5, 0, 1000), parameters));
        EXPECT_EQ(count_of(text, ": send "), count_of(text, ": recv ")) << algorithm->name;
        EXPECT_EQ(count_of(text, " 0b "), 0U) << algorithm->name << ": LogGOPSim has none of them";
    }
}

Network joined() {
    Network network;
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, Link{24e6, 10e-3, 262144}, 20e-6};
    return network;
}

TEST(ExportSimGrid, has_the_links_of_the_profile) {
    const auto platform = simgrid_platform(joined(), Clusters({3, 2, 1}));
    ASSERT_TRUE(platform) << platform.error().message;
    EXPECT_EQ(count_of(*platform, "<host "), 6U);
    EXPECT_EQ(count_of(*platform, "bandwidth=\"6000000Bps\" latency=\"0.000050000s\""), 6U);
    EXPECT_EQ(count_of(*platform, "bandwidth=\"24000000Bps\" latency=\"0.005000000s\""), 3U);
    EXPECT_EQ(count_of(*platform, "<zoneRoute "), 6U);
    EXPECT_EQ(count_of(*platform, "value=\"0:0.000020000:0\""), 3U) << "os, ois, or";
    const auto hosts = simgrid_hosts(Clusters({3, 2, 1}));
    EXPECT_EQ(std::count(hosts.begin(), hosts.end(), '\n'), 6);
}

TEST(ExportSimGrid, refuses_what_was_not_measured) {
    EXPECT_FALSE(simgrid_platform(Network(), Clusters({3})));
    auto network = joined();
    network.links->backbone.reset();
    EXPECT_TRUE(simgrid_platform(network, Clusters({3})));
    EXPECT_FALSE(simgrid_platform(network, Clusters({3, 2})));
}

} // namespace
} // namespace alltold
