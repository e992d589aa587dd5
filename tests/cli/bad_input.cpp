// SPDX-License-Identifier: BSD-3-Clause
// Good and bad files, and the test that every case of bad input passes.
#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.hpp"
#include "bad_input.hpp"
#include "program.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::test {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// A small campaign: four ranks, six repetitions of one size.
void make_campaign(const fs::path& path) {
    const Provenance here{{"h0", "h1", "h2", "h3"}, Clusters({4}), "MPI", "Linux", "clock"};
    auto campaign = Campaign::resume(path, here, 1);
    ASSERT_TRUE(campaign) << campaign.error().message;
    for (int i = 0; i < 6; ++i)
        ASSERT_TRUE(campaign->add({"alltoall", "mpi", Clusters({4}), 65536, -1, -1},
                                  0.01 + i * 1e-4, false));
}

/// `text` with the first `from` made `to`.
std::string edited(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// Files that are good, and files that are bad in every way we know.
void make_files(const fs::path& folder) {
    make_campaign(folder / "good.db");
    const auto good_db = contents(folder / "good.db");
    write_file(folder / "truncated.db", good_db.substr(0, good_db.size() / 2));
    write_file(folder / "text.db", "this is a text file, and long enough to have a header\n");
    write_file(folder / "empty.db", "");
    fs::copy_file(folder / "good.db", folder / "newer.db");
    SQLite::Database(folder / "newer.db", SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 9");
    SQLite::Database(folder / "foreign.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE recipe (cake)");
    ASSERT_TRUE(save_profile(*load_profile("@gigabit-ethernet-2007"), folder / "good.json"));
    const auto good = contents(folder / "good.json");
    write_file(folder / "truncated.json", good.substr(0, good.size() / 2));
    write_file(folder / "type.json", edited(good, "\"value\": 6e-05", "\"value\": \"60us\""));
    write_file(folder / "unit.json", edited(good, "\"alpha_s\"", "\"alpha_ms\""));
    write_file(folder / "range.json", edited(good, "\"value\": 4.3628", "\"value\": 0.5"));
    write_file(folder / "newer.json", edited(good, "\"version\": 3", "\"version\": 7"));
    write_file(folder / "other.json", "{\"cake\": true}");
    write_file(folder / "huge.json", edited(good, "\"value\": 6e-05", "\"value\": 1e999"));
    write_file(folder / "twice.json",
               edited(good, "\"version\": 3", "\"version\": 3, \"version\": 3"));
    write_file(folder / "bytes.json", edited(good, "alltold profile", "alltold \xff profile"));
    write_file(folder / "long.json", fmt::format("[\"{:x<100000}\n", ""));
    write_file(folder / "syntax.json", "{\"a\": 1,\n}");
    auto links = *load_profile("@gigabit-ethernet-2007");
    links.network.links = LinkNetwork{{1e8, 50e-6, 65536}, {}};
    links.network.links->mss_bytes = 1448;
    ASSERT_TRUE(save_profile(links, folder / "packet.json"));
    write_file(folder / "packet.json", edited(contents(folder / "packet.json"),
                                              "\"mss_bytes\": 1448.0", "\"mss_bytes\": 1e-30"));
    write_file(folder / "my.rules", "# rules of alltold\nbcast:64KiB-:n<=8 = bcast.chain\n");
    ASSERT_EQ(::mkfifo((folder / "pipe.json").c_str(), 0600), 0);
    write_file(folder / "ragged.json", "[[0, 1], [2]]");
    write_file(folder / "negative.json", "[[0, -1], [2, 0]]");
    write_file(folder / "diagonal.json", "[[0, 1], [2, 5]]");
    fs::create_directory(folder / "folder");
    fs::create_directory(folder / "study"); // as study leaves it
    fs::copy_file(folder / "good.db", folder / "study/study.db");
    fs::copy_file(folder / "good.json", folder / "study/profile.json");
    fs::permissions(folder, fs::perms(0755));
    fs::create_directory(folder / "locked");
    fs::permissions(folder / "locked", fs::perms(0555));
}

} // namespace

std::optional<Scratch> BadInput::folder;

void BadInput::SetUpTestSuite() {
    folder.emplace();
    make_files(folder->directory());
}

TEST_P(BadInput, gets_one_clear_line_and_its_status) {
    const auto& row = GetParam();
    if (row.as_nobody && ::geteuid() != 0)
        GTEST_SKIP() << "needs root to become a user without permission";
    const auto run = run_alltold(row.arguments, folder->directory(), row.as_nobody);
    EXPECT_EQ(run.exit_status, row.exit_status) << run.errors;
    EXPECT_EQ(run.output, "");
    ASSERT_FALSE(run.errors.empty());
    EXPECT_EQ(run.errors.find('\n'), run.errors.size() - 1) << "more than one line:\n"
                                                            << run.errors;
    EXPECT_LT(run.errors.size(), 300U);
    EXPECT_THAT(run.errors, testing::MatchesRegex(std::string("alltold: ") + row.pattern + "\n"));
}

} // namespace alltold::test
