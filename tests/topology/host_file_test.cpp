// SPDX-License-Identifier: BSD-3-Clause
// Cluster keywords in host files: read, and refused with file and line.
#include "topology/host_file.hpp"

#include <gtest/gtest.h>

namespace alltold::topology_tests {
namespace {

std::string error_of(std::string_view text) {
    const auto file = HostFile::parse(text, "hosts");
    return file ? "" : file.error().message;
}

TEST(HostFile, SectionsAndSingleHosts) {
    const auto file = HostFile::parse("# our two sites\n"
                                      "  # cluster: nancy\n"
                                      "n1 slots=2 max_slots=4\r\n"
                                      "root@n2.nancy.example slots=2\n"
                                      "\n"
                                      "r1:2 # cluster=rennes\n"
                                      "#cluster = rennes\n"
                                      "r2#eight cores",
                                      "hosts");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_FALSE(file->silent());
    const std::vector<std::string> ranks{"r1.rennes.example", "n1", "r2", "n2", "n1"};
    const auto clusters = file->clusters_of(ranks);
    ASSERT_TRUE(clusters) << clusters.error().message;
    EXPECT_EQ(*clusters, (std::vector<int>{0, 1, 0, 1, 1}));
}

TEST(HostFile, AFileWithoutKeywordsSaysNothing) {
    for (const auto* text : {"", "n1 slots=2\nn2\n", "# the cluster of nancy\nn1\n"})
        EXPECT_TRUE(HostFile::parse(text, "hosts")->silent()) << text;
}

TEST(HostFile, NamesHaveNoControlCharacters) {
    EXPECT_EQ(error_of("n1\n\x1b[31mn2\n"),
              "hosts: line 2: '\x1b[31mn2' has characters that no name has");
    EXPECT_EQ(error_of("n1 # cluster: \x1b[2J\n"),
              "hosts: line 1: '\x1b[2J' has characters that no name has");
}

TEST(HostFile, NamesFileAndLineOfWhatIsWrong) {
    EXPECT_EQ(error_of("n1\n# cluster:\nn2\n"), "hosts: line 2: '# cluster:' is not a cluster "
                                                "name; write one word, such as # cluster: nancy");
    EXPECT_EQ(error_of("n1 # cluster: a b").substr(0, 13), "hosts: line 1");
    EXPECT_EQ(error_of("n1\n\nn2 # cluster: b\n"),
              "hosts: line 1: host 'n1' has no cluster although others do; write # cluster: NAME "
              "after it or above it");
    EXPECT_EQ(error_of("# cluster: a\nn1\nn2\n# cluster: b\nn1\n"),
              "hosts: line 5: host 'n1' is in cluster 'b' here and in 'a' in line 2");
}

TEST(HostFile, NamesAHostThatIsMissing) {
    const auto file = HostFile::parse("# cluster: a\nn1\n", "hosts");
    const std::vector<std::string> ranks{"n1", "n2"};
    const auto clusters = file->clusters_of(ranks);
    ASSERT_FALSE(clusters);
    EXPECT_EQ(clusters.error().message,
              "hosts: host 'n2' runs a rank but is not in the file; add it to its cluster");
}

TEST(HostFile, NamesWithDomainsDifferByThem) {
    const auto file =
        HostFile::parse("# cluster: a\nn1.a.example\n# cluster: b\nn1.b.example\n", "hosts");
    ASSERT_TRUE(file);
    const std::vector<std::string> ranks{"n1.b.example", "n1.a.example"};
    EXPECT_EQ(*file->clusters_of(ranks), (std::vector<int>{0, 1}));
}

} // namespace
} // namespace alltold::topology_tests
