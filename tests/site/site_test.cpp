// SPDX-License-Identifier: BSD-3-Clause
// Site folders: which network, which profile, which patterns.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "site/host_patterns.hpp"
#include "site/lookup.hpp"

namespace alltold::site {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

TEST(LibraryVersion, comes_from_what_libraries_say) {
    for (const auto& [text, word] : {
             std::pair("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", "openmpi-4.1.4"),
             {"Open MPI v5.0.7rc1, package", "openmpi-5.0.7rc1"},
             {"MPICH Version:      4.0.2\nMPICH Release date: Thu", "mpich-4.0.2"},
             {"MPICH Version:\t4.2.1", "mpich-4.2.1"},
             {"Intel(R) MPI Library 2021.10 for Linux* OS", "intelrmpilibrary-2021.10"},
         }) {
        const auto version = library_version(text);
        ASSERT_TRUE(version) << text;
        EXPECT_EQ(version->text(), word);
        EXPECT_EQ(parse_library_version(word), version);
    }
    EXPECT_FALSE(library_version("not known"));
    EXPECT_FALSE(parse_library_version("notes"));
}

class Site : public testing::Test {
  protected:
    Site() {
        ::setenv("ALLTOLD_SITE", folder_.directory().c_str(), 1);
        write(folder_ / "fast/hosts", "f[1-]\n");
        write(folder_ / "slow/hosts", "s[1-400]\nfront\n");
        for (const auto* file : {"openmpi-4.0.1", "openmpi-4.1.4", "openmpi-5.0.1", "notes"})
            write(folder_ / "slow" / (std::string(file) + ".json"), "{}");
    }
    ~Site() override { ::unsetenv("ALLTOLD_SITE"); }

    std::optional<SiteKnowledge> found(const std::vector<std::string>& hosts,
                                       const LibraryVersion& library) {
        const auto looked = look_up(hosts, library, why_not_);
        EXPECT_TRUE(looked);
        return looked ? *looked : std::nullopt;
    }

    test::Scratch folder_;
    std::string why_not_;
};

TEST_F(Site, any_subset_of_hosts_has_the_profile_of_its_library) {
    const auto knowledge = found({"s399", "front", "s7"}, {"openmpi", "4.1.4"});
    ASSERT_TRUE(knowledge && knowledge->profile);
    EXPECT_EQ(knowledge->network.name, "slow");
    EXPECT_EQ(knowledge->profile->suits, Suits::same);
    EXPECT_EQ(knowledge->profile->profile.file.filename(), "openmpi-4.1.4.json");
    EXPECT_THAT(knowledge->why, testing::HasSubstr("of this MPI library, openmpi-4.1.4"));
}

TEST_F(Site, the_nearest_version_serves_then_another_library) {
    const auto version = found({"s1"}, {"openmpi", "4.1.6"});
    ASSERT_TRUE(version && version->profile);
    EXPECT_EQ(version->profile->suits, Suits::other_version);
    EXPECT_EQ(version->profile->profile.library.version, "4.1.4");
    EXPECT_THAT(version->why, testing::HasSubstr("the nearest to openmpi-4.1.6"));
    const auto other = found({"s1"}, {"mpich", "4.1.4"});
    ASSERT_TRUE(other && other->profile);
    EXPECT_EQ(other->profile->suits, Suits::other_library);
    EXPECT_THAT(other->why, testing::HasSubstr("trials only"));
    EXPECT_FALSE(found({"f1"}, {"openmpi", "4.1.4"})->profile);
}

TEST_F(Site, says_which_host_no_network_names) {
    EXPECT_FALSE(found({"s1", "s401"}, {"openmpi", "4.1.4"}));
    EXPECT_THAT(why_not_, testing::HasSubstr("names host s401"));
    EXPECT_FALSE(found({"s1", "f1"}, {"openmpi", "4.1.4"}));
}

TEST_F(Site, wrong_patterns_are_named) {
    write(folder_ / "fast/hosts", "f1\nf[a]\n");
    std::string why_not;
    const std::vector<std::string> hosts{"f1"};
    const auto looked = look_up(hosts, {"openmpi", "4"}, why_not);
    ASSERT_FALSE(looked);
    EXPECT_THAT(looked.error().message, testing::HasSubstr("hosts: line 2: 'f[a]' is not"));
}

TEST_F(Site, folders_are_looked_at_in_order) {
    ::setenv("ALLTOLD_SITE", "off", 1);
    EXPECT_TRUE(site_folders().empty());
    ::unsetenv("ALLTOLD_SITE");
    write(folder_ / "config/alltold/here/hosts", "h1\n");
    ::setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
    ASSERT_FALSE(site_folders().empty());
    EXPECT_EQ(site_folders().front().path, folder_ / "config/alltold");
    EXPECT_EQ(found({"h1"}, {"openmpi", "4.1.4"})->network.name, "here");
    ::unsetenv("XDG_CONFIG_HOME");
}

TEST(HostPatterns, hold_for_more_hosts_than_were_studied) {
    const std::vector<std::string> hosts{"n3", "n3", "n12", "front"};
    EXPECT_EQ(host_patterns(hosts, std::vector{0, 0, 0, 0}), "front\nn[3-]\n");
    const std::vector<std::string> racks{"r1n1.org2", "r1n2.org2"};
    EXPECT_EQ(host_patterns(racks, std::vector{0, 0}), "r1n[1-].org2\n");
}

TEST(HostPatterns, keep_clusters_apart) {
    const std::vector<std::string> sites{"a1", "a2", "b1", "b2"};
    EXPECT_EQ(host_patterns(sites, std::vector{0, 0, 1, 1}),
              "# cluster: 1\na[1-]\n# cluster: 2\nb[1-]\n");
    const std::vector<std::string> halves{"n1", "n2", "n3", "n4"};
    EXPECT_EQ(host_patterns(halves, std::vector{0, 0, 1, 1}),
              "# cluster: 1\nn[1-2]\n# cluster: 2\nn[3-]\n");
    const std::vector<std::string> mixed{"n1", "n3", "n2", "n4"};
    EXPECT_EQ(host_patterns(mixed, std::vector{0, 0, 1, 1}),
              "# cluster: 1\nn1\nn3\n# cluster: 2\nn2\nn4\n");
}

} // namespace
} // namespace alltold::site
