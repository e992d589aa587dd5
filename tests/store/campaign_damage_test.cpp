// SPDX-License-Identifier: BSD-3-Clause
// Files that are no campaign, or no whole one, each told in one line naming the file.
#include "store/campaign.hpp"

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.hpp"

namespace alltold {
namespace {

using test::alltoall_point;
using test::contents;
using test::four_hosts;
using test::Scratch;
using test::write_file;
namespace fs = std::filesystem;

void expect_refused(const fs::path& path, const std::string& why,
                    ExitStatus status = ExitStatus::bad_input) {
    const auto opened = Campaign::read(path);
    ASSERT_FALSE(opened) << path;
    EXPECT_EQ(opened.error().status, status);
    EXPECT_EQ(opened.error().message.find(path.string() + ": "), 0U) << opened.error().message;
    EXPECT_NE(opened.error().message.find(why), std::string::npos) << opened.error().message;
    EXPECT_EQ(opened.error().message.find('\n'), std::string::npos);
}

void make_campaign(const fs::path& path, int samples) {
    auto campaign = Campaign::resume(path, four_hosts(), 1);
    ASSERT_TRUE(campaign) << campaign.error().message;
    for (int i = 0; i < samples; ++i)
        ASSERT_TRUE(campaign->add(alltoall_point(1024U << i % 6), 1.0 + i, false));
}

TEST(CampaignDamage, missing_empty_text_and_directory) {
    const Scratch scratch;
    expect_refused(scratch / "none.db", "no such file");
    write_file(scratch / "empty.db", "");
    expect_refused(scratch / "empty.db", "is empty");
    write_file(scratch / "text.db", std::string(5000, 'x'));
    expect_refused(scratch / "text.db", "is not an SQLite database");
    write_file(scratch / "short.db", "hello\n");
    expect_refused(scratch / "short.db", "is not an SQLite database");
    fs::create_directory(scratch / "dir.db");
    expect_refused(scratch / "dir.db", "is a directory");
}

TEST(CampaignDamage, databases_of_others_are_left_alone) {
    const Scratch scratch;
    const auto path = scratch / "other.db";
    {
        SQLite::Database other(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("CREATE TABLE sample (x)");
    }
    const auto before = contents(path);
    expect_refused(path, "another program's database");
    EXPECT_FALSE(Campaign::resume(path, four_hosts(), 1));
    EXPECT_TRUE(contents(path) == before);
    for (const int version : {2, 4}) {
        const auto other = scratch / fmt::format("{}.db", version);
        make_campaign(other, 1);
        SQLite::Database(other, SQLite::OPEN_READWRITE)
            .exec(fmt::format("PRAGMA user_version = {}", version));
        expect_refused(other,
                       fmt::format("has format {}, but this alltold reads format 3", version));
    }
    make_campaign(scratch / "bare.db", 1);
    SQLite::Database(scratch / "bare.db", SQLite::OPEN_READWRITE).exec("DROP TABLE network");
    const auto bare = Campaign::read(scratch / "bare.db");
    ASSERT_TRUE(bare);
    ASSERT_FALSE(bare->provenance());
    EXPECT_NE(bare->provenance().error().message.find("does not have alltold's tables"),
              std::string::npos);
}

TEST(CampaignDamage, a_campaign_of_another_network_stays_as_it_was) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    make_campaign(path, 3);
    SQLite::Database(path, SQLite::OPEN_READWRITE).exec("DROP VIEW samples");
    const auto before = contents(path);
    auto elsewhere = four_hosts();
    elsewhere.hosts.back() = "another";
    const auto opened = Campaign::resume(path, elsewhere, 1);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("describes another network"), std::string::npos);
    EXPECT_TRUE(contents(path) == before);
}

TEST(CampaignDamage, all_of_some_times_are_added_or_none) {
    const Scratch scratch;
    auto campaign = Campaign::resume(scratch / "net.db", four_hosts(), 1);
    ASSERT_TRUE(campaign);
    const auto point = alltoall_point(64);
    EXPECT_FALSE(campaign->add_all(std::vector<std::pair<Point, Sample>>{
        {point, {.value = 1}}, {point, {.value = std::nan("")}}}));
    EXPECT_TRUE(campaign->points()->empty());
    ASSERT_TRUE(campaign->add_all(
        std::vector<std::pair<Point, Sample>>{{point, {.value = 1}}, {point, {.value = 2}}}));
    const auto points = campaign->points();
    ASSERT_EQ(points->size(), 1U);
    EXPECT_EQ(points->front().samples.back().repetition, 1);
    EXPECT_EQ(*campaign->add(point, 3.0, false), 2);
}

/// Rows that were edited by hand, and what is said of them.
TEST(CampaignDamage, rows_that_make_no_sense_are_told) {
    const std::vector<std::pair<std::string, std::string>> edits{
        {"UPDATE network SET clusters = '3'",
         "damaged: clusters 3 have 3 ranks, but 4 hosts are recorded"},
        {"UPDATE network SET clusters = '500000+500000'", "have 1000000 ranks, but 4 hosts"},
        {"DELETE FROM host", "have 4 ranks, but 0 hosts are recorded"},
        {"UPDATE point SET clusters = '3+9' WHERE rowid = 1",
         "damaged: a point of probe 'alltoall' has clusters 3+9; expected at most 4 ranks"},
        {"UPDATE point SET first_rank = 99 WHERE rowid = 1", "has first_rank 99; expected -1 to 3"},
        {"UPDATE point SET second_rank = -2 WHERE rowid = 1",
         "has second_rank -2; expected -1 to 3"},
        {"UPDATE point SET size_bytes = -5 WHERE rowid = 1", "has size_bytes -5; expected 0 to"},
        {"UPDATE point SET size_bytes = 9e18 WHERE rowid = 1",
         "has size_bytes 9000000000000000000; expected 0 to"},
        {"UPDATE point SET count = -1 WHERE rowid = 1", "has count -1; expected 0 or more"},
        {"UPDATE sample SET time_s = 9e999 WHERE rowid = 1",
         "has time_s inf; expected a number of seconds"},
        {"UPDATE sample SET time_s = 'soon' WHERE rowid = 1",
         "has time_s nan; expected a number of seconds"},
        {"UPDATE sample SET time_s = -1e300 WHERE rowid = 1",
         "has time_s -1e+300; expected a number of seconds"},
        {"UPDATE sample SET time_s = -1 WHERE rowid = 1",
         "has time_s -1; expected a number of seconds, 0 or more"},
        {"UPDATE sample SET taken_unix_s = 9e999 WHERE rowid = 1",
         "has taken_unix_s inf; expected a number of seconds, 0 or more"},
        {"UPDATE point SET size_bytes = 'x' WHERE rowid = 1",
         "has size_bytes x; expected a whole number"},
        {"UPDATE point SET size_bytes = 1.5 WHERE rowid = 1",
         "has size_bytes 1.5; expected a whole number"},
        {"UPDATE point SET first_rank = 4294967296 WHERE rowid = 1",
         "has first_rank 4294967296; expected a whole number of 32 bits"},
        {"UPDATE point SET algorithm = printf('%.100000c', 'a') WHERE rowid = 1",
         "damaged: algorithm 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' is not a text of at "
         "most "
         "200 characters"},
        {"UPDATE point SET probe = char(27) || '[31m' WHERE rowid = 1",
         "is not a text of at most 200 characters that can be shown"},
        {"UPDATE host SET name = CAST(x'ff' AS TEXT)", "damaged: host '"},
        {"UPDATE network SET mpi_library = printf('%.9999c', 'a')", "damaged: mpi_library 'aaa"},
        {"UPDATE session SET kernel = char(10) || 'x'", "damaged: kernel '"}};
    for (const auto& [edit, said] : edits) {
        const Scratch scratch;
        const auto path = scratch / "net.db";
        make_campaign(path, 3);
        SQLite::Database(path, SQLite::OPEN_READWRITE).exec(edit);
        const auto campaign = Campaign::read(path);
        ASSERT_TRUE(campaign) << edit;
        const auto points = campaign->points();
        ASSERT_FALSE(points) << edit;
        EXPECT_EQ(points.error().status, ExitStatus::bad_input);
        EXPECT_EQ(points.error().message.find(path.string() + ": "), 0U);
        EXPECT_NE(points.error().message.find(said), std::string::npos) << points.error().message;
    }
}

TEST(CampaignDamage, a_table_that_never_ends_is_told) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    make_campaign(path, 3);
    SQLite::Database(path, SQLite::OPEN_READWRITE)
        .exec("DROP TABLE host; CREATE VIEW host AS WITH RECURSIVE c (rank) AS "
              "(SELECT 0 UNION ALL SELECT rank + 1 FROM c) SELECT rank, 'h' AS name FROM c");
    expect_refused(path, "has views in place of tables");
    EXPECT_FALSE(Campaign::resume(path, four_hosts(), 1));
}

TEST(CampaignDamage, truncated_at_any_length_is_told) {
    const Scratch scratch;
    make_campaign(scratch / "whole.db", 400);
    const auto whole = contents(scratch / "whole.db");
    ASSERT_GT(whole.size(), 30000U);
    for (const std::size_t length :
         {std::size_t{1}, std::size_t{15}, std::size_t{99}, std::size_t{100}, std::size_t{1000},
          std::size_t{4095}, std::size_t{4096}, std::size_t{8192}, whole.size() / 2,
          whole.size() - 4096, whole.size() - 1}) {
        const auto path = scratch / ("cut" + std::to_string(length) + ".db");
        write_file(path, whole.substr(0, length));
        const auto opened = Campaign::read(path);
        ASSERT_FALSE(opened) << length;
        EXPECT_EQ(opened.error().message.find(path.string() + ": "), 0U);
        EXPECT_EQ(opened.error().status, ExitStatus::bad_input) << opened.error().message;
        EXPECT_FALSE(Campaign::resume(path, four_hosts(), 1)) << length;
        EXPECT_TRUE(contents(path) == whole.substr(0, length)) << "a refused file was changed";
    }
}

TEST(CampaignDamage, an_empty_file_is_filled_by_a_writer) {
    const Scratch scratch;
    write_file(scratch / "net.db", "");
    make_campaign(scratch / "net.db", 2);
    EXPECT_TRUE(Campaign::read(scratch / "net.db"));
}

TEST(CampaignDamage, a_missing_directory_is_told) {
    const Scratch scratch;
    const auto opened = Campaign::resume(scratch / "no/such/net.db", four_hosts(), 1);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().status, ExitStatus::bad_input);
    EXPECT_NE(opened.error().message.find("directory " + (scratch / "no/such").string() +
                                          " does not exist"),
              std::string::npos)
        << opened.error().message;
}

/// Runs `body` in a process of its own and returns its exit status; 77 means it had to be skipped.
int in_child(const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(CampaignDamage, a_directory_that_cannot_be_written_is_told) {
    const Scratch scratch;
    fs::permissions(scratch.directory(), fs::perms::owner_read | fs::perms::owner_exec |
                                             fs::perms::others_read | fs::perms::others_exec);
    const int status = in_child([&] {
        if (::geteuid() == 0 && ::seteuid(65534) != 0) // root may write anywhere
            return 77;
        const auto opened = Campaign::resume(scratch / "net.db", four_hosts(), 1);
        if (opened || opened.error().status != ExitStatus::environment)
            return 1;
        return opened.error().message.find("cannot write into the directory") != std::string::npos
                   ? 0
                   : 2;
    });
    fs::permissions(scratch.directory(), fs::perms::owner_all);
    if (status == 77)
        GTEST_SKIP() << "cannot become another user here";
    EXPECT_EQ(status, 0);
}

TEST(CampaignDamage, a_full_disk_is_told_and_loses_nothing) {
    const Scratch scratch;
    const int status = in_child([&] {
        if (::unshare(CLONE_NEWNS) != 0 ||
            ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("none", scratch.directory().c_str(), "tmpfs", 0, "size=256k") != 0)
            return 77;
        int kept = 0;
        {
            auto campaign = Campaign::resume(scratch / "net.db", four_hosts(), 1);
            if (!campaign)
                return 1;
            Result<int> added = 0;
            while ((added = campaign->add(alltoall_point(64), 1.0, false)))
                if (++kept > 100000)
                    return 2;
            if (added.error().status != ExitStatus::environment ||
                added.error().message.find("disk is full") == std::string::npos)
                return 3;
        }
        const auto campaign = Campaign::read(scratch / "net.db");
        if (!campaign)
            return 4;
        const auto points = campaign->points();
        return points && points->front().samples.size() == static_cast<std::size_t>(kept) ? 0 : 5;
    });
    if (status == 77)
        GTEST_SKIP() << "cannot mount a small disk here";
    EXPECT_EQ(status, 0);
}

} // namespace
} // namespace alltold
