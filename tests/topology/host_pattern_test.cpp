// SPDX-License-Identifier: BSD-3-Clause
// Patterns of host names.
#include "topology/host_file.hpp"

#include <gtest/gtest.h>


namespace alltold::topology_tests {
namespace {

TEST(HostPattern, NumbersAreWhole) {
    for (const auto* host : {"node1", "node0400", "node400.example.org", "node500"})
        EXPECT_TRUE(names_host("node[1-400,500]", host)) << host;
    for (const auto* host : {"node0", "node401", "node4000", "node", "node1a", "anode1"})
        EXPECT_FALSE(names_host("node[1-400,500]", host)) << host;
    EXPECT_TRUE(names_host("r[1-]n[3-]", "r12n99999"));
    EXPECT_FALSE(names_host("r[1-]n[3-]", "r0n3"));
    EXPECT_FALSE(names_host("n[1-]", "n99999999999999999999999999"));
}

TEST(HostPattern, StarsAndQuestionMarks) {
    EXPECT_TRUE(names_host("*", "anything"));
    EXPECT_TRUE(names_host("a*z?", "abczzq"));
    EXPECT_FALSE(names_host("a*z?", "abcz"));
}

TEST(HostPattern, NamesWithDomainsDifferByThem) {
    EXPECT_TRUE(names_host("n1.a.example", "n1"));
    EXPECT_FALSE(names_host("n1.a.example", "n1.b.example"));
    EXPECT_TRUE(names_host("n[1-2].*.example", "n2.b.example"));
}

TEST(HostPattern, BracketsHoldNumbers) {
    for (const auto* right : {"n1", "n[1-2]", "n[1,7-]-[3]", "*"})
        EXPECT_TRUE(check_host_pattern(right)) << right;
    for (const auto* wrong : {"n[a-b]", "n[]", "n[1-2", "n]", "n[2-1]", "n[1-2-3]"})
        EXPECT_FALSE(check_host_pattern(wrong)) << wrong;
}

TEST(HostPattern, HostFilesHaveThem) {
    const auto file = HostFile::parse("# cluster: a\nn[1-4]\n# cluster: b\nn[1-]\n", "hosts");
    ASSERT_TRUE(file);
    const std::vector<std::string> hosts{"n9", "n4"};
    EXPECT_EQ(*file->clusters_of(hosts), (std::vector<int>{0, 1}));
    EXPECT_TRUE(file->names("n70"));
    EXPECT_FALSE(file->names("m1"));
    EXPECT_EQ(HostFile::parse("n1\nn[x]\n", "hosts")->check_patterns().error().message,
              "hosts: line 2: 'n[x]' is not a pattern of host names; brackets hold numbers, such "
              "as node[1-400,500] or node[1-]");
}

} // namespace
} // namespace alltold::topology_tests
