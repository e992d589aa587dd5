// SPDX-License-Identifier: BSD-3-Clause
// The formats of alltold export that are not rules, from the command line.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "program.hpp"
#include "store/profile.hpp"

namespace alltold::test {
namespace {

TEST(ExportFormats, csv_has_the_samples_of_a_campaign) {
    const auto run = run_alltold({"export", "csv", GOLDEN_STORE});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(run.output.starts_with("probe,algorithm,clusters,"));
    EXPECT_GT(std::ranges::count(run.output, '\n'), 1000);
    const auto missing = run_alltold({"export", "csv", "missing.db"});
    EXPECT_EQ(missing.exit_status, 2);
    EXPECT_NE(missing.errors.find("missing.db: no such file"), std::string::npos) << missing.errors;
}

TEST(ExportFormats, goal_has_the_call_that_was_asked_for) {
    const auto run = run_alltold({"show", "alltoall.rotated", "-n", "4", "-m", "1KiB", "--goal"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(run.output.starts_with("num_ranks 4\n"));
    EXPECT_NE(run.output.find("send 1024b to 1"), std::string::npos);
}

TEST(ExportFormats, simgrid_needs_measured_links) {
    const auto run = run_alltold({"export", "simgrid", "@gigabit-ethernet-2007"});
    EXPECT_EQ(run.exit_status, 1);
    EXPECT_NE(run.errors.find("has no links"), std::string::npos) << run.errors;
}

TEST(ExportFormats, simgrid_writes_the_hosts_beside_the_platform) {
    const Scratch scratch;
    const auto file = (scratch / "net.json").string(), hosts = (scratch / "hosts").string();
    auto profile = *load_profile("@gigabit-ethernet-2007");
    profile.network.links = LinkNetwork{{1e8, 50e-6, 65536}, {}};
    ASSERT_TRUE(save_profile(profile, file));
    const auto run = run_alltold({"export", "simgrid", file, "--clusters", "3x2", "-o",
                                  (scratch / "platform.xml").string(), "--write-hosts", hosts});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_EQ(contents(hosts), "host-0\nhost-0\nhost-1\nhost-1\nhost-2\nhost-2\n");
    EXPECT_EQ(run_alltold({"export", "simgrid", file, "--hostfile", hosts}).exit_status, 2)
        << "which other subcommands read";
}

TEST(ExportFormats, nothing_is_written_before_all_can_be) {
    const Scratch scratch;
    auto profile = *load_profile("@gigabit-ethernet-2007");
    profile.network.links = LinkNetwork{{1e8, 50e-6, 65536}, {}};
    const auto file = (scratch / "net.json").string();
    ASSERT_TRUE(save_profile(profile, file));
    const auto run = run_alltold({"export", "simgrid", file, "--clusters", "3", "-o",
                                  (scratch / "platform.xml").string(), "--write-hosts", file});
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_FALSE(std::filesystem::exists(scratch / "platform.xml"));
}

TEST(ExportFormats, a_dash_is_standard_output) {
    const Scratch scratch;
    for (const auto& [line, begins] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"show", "bcast.chain", "-n", "3", "--svg", "-"}, "<svg"},
             {{"export", "csv", GOLDEN_STORE, "-o", "-"}, "probe,"}}) {
        const auto run = run_alltold(line, scratch.directory());
        EXPECT_EQ(run.exit_status, 0) << run.errors;
        EXPECT_TRUE(run.output.starts_with(begins)) << run.output.substr(0, 100);
    }
    EXPECT_TRUE(std::filesystem::is_empty(scratch.directory()));
}

TEST(ExportFormats, files_of_other_kinds_stay) {
    const Scratch scratch;
    const auto file = scratch / "notes.txt";
    std::ofstream(file) << "mine";
    const auto run = run_alltold({"export", "csv", GOLDEN_STORE, "-o", file.string()});
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_EQ(contents(file), "mine");
}

TEST(ExportFormats, usage_errors_name_the_format) {
    const auto run = run_alltold({"export", "csv"});
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_NE(run.errors.find("see 'alltold export csv --help'"), std::string::npos) << run.errors;
    const auto none = run_alltold({"export"});
    EXPECT_EQ(none.exit_status, 2);
    EXPECT_NE(none.errors.find("see 'alltold export --help'"), std::string::npos) << none.errors;
}

} // namespace
} // namespace alltold::test
