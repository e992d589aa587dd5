// SPDX-License-Identifier: BSD-3-Clause
// Hosts that were not measured: whose cluster they are taken to be in, and how that is said.
#include "preload/nearest_hosts.hpp"

#include <gtest/gtest.h>

namespace {

using namespace alltold::preload;

TEST(NearestHosts, names_have_whole_words_and_numbers_in_common) {
    EXPECT_EQ(common_start("node17", "node3"), 4U);
    EXPECT_EQ(common_start("node17", "node1"), 4U);
    EXPECT_EQ(common_start("r1n30", "r1n3"), 3U);
    EXPECT_EQ(common_start("r1n30", "r2n30"), 1U);
    EXPECT_EQ(common_start("vm", "vm0"), 2U);
    EXPECT_EQ(common_start("ip-10-0-1-5", "ip-10-0-1-7"), 10U);
    EXPECT_EQ(common_start("nodes1", "node1"), 0U);
    EXPECT_EQ(common_start("gpu1", "node1"), 0U);
    EXPECT_EQ(common_start("10", "10"), 0U) << "no letter";
    EXPECT_EQ(common_start("", "node1"), 0U);
    EXPECT_EQ(common_start("n1.nancy.org", "n2"), 1U);
    EXPECT_EQ(common_start("n1.nancy.org", "n2.nancy.org"), 1U);
    EXPECT_EQ(common_start("n1.nancy.org", "n2.rennes.org"), 0U);
}

const std::vector<KnownHost> measured{
    {"r1n1", 0, 7}, {"r1n2", 0, 7}, {"r2n1", 1, 8}, {"r2n2", 1, 9}, {"login", 1, 9}};

std::optional<TakenHost> nearest(const char* name, std::uint64_t switches = 0) {
    return nearest_host({name, std::nullopt, switches}, measured);
}

TEST(NearestHosts, longest_common_start_decides) {
    EXPECT_EQ(nearest("r1n30"), (TakenHost{"r1n30", "r1n1", 0, false}));
    EXPECT_EQ(nearest("r2n30"), (TakenHost{"r2n30", "r2n1", 1, false}));
    EXPECT_EQ(nearest("login2"), (TakenHost{"login2", "login", 1, false}));
    EXPECT_FALSE(nearest("r3n1")) << "either cluster has hosts named r";
    EXPECT_FALSE(nearest("c7"));
    EXPECT_FALSE(nearest_host({"c7", std::nullopt}, {}));
}

TEST(NearestHosts, switches_come_before_names) {
    EXPECT_EQ(nearest("r1n30", 8), (TakenHost{"r1n30", "r2n1", 1, true}));
    EXPECT_EQ(nearest("c7", 9), (TakenHost{"c7", "r2n2", 1, true}));
    EXPECT_FALSE(nearest("c7", 10));
    EXPECT_EQ(nearest("r1n30", 10), (TakenHost{"r1n30", "r1n1", 0, false}));
    const std::vector<KnownHost> joined{{"a1", 0, 7}, {"b1", 1, 7}};
    EXPECT_EQ(nearest_host({"b2", std::nullopt, 7}, joined), (TakenHost{"b2", "b1", 1, false}))
        << "both clusters are below this switch";
}

TEST(NearestHosts, are_said_in_a_line) {
    const std::vector<TakenHost> taken{{"a7", "a1", 0, false},
                                       {"x", "b1", 1, true},
                                       {"a8", "a1", 0, false},
                                       {"a9", "a1", 0, false},
                                       {"a10", "a1", 0, false}};
    EXPECT_EQ(text_of(taken),
              "hosts that the profile was not measured on are taken to be in clusters of others: "
              "a7, a8, a9 and 1 more in that of a1 by name, x in that of b1 by Slurm's switches; "
              "set ALLTOLD_CLUSTERS if that is wrong");
}

} // namespace
