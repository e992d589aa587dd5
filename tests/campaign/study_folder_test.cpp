// SPDX-License-Identifier: BSD-3-Clause
// Where a study keeps what it found, and what it leaves alone.
#include <filesystem>
#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../lab/run.hpp"
#include "../scratch.hpp"
#include "lab/lab.hpp"
#include "store/writer_lock.hpp"

namespace alltold {
namespace {

using lab_tests::run_shell;
using test::contents;

TEST(StudyFolder, IsKeptWithoutBeingAskedForAndNotFilledTwice) {
    const test::Scratch scratch;
    const auto study = [&] {
        return run_shell(fmt::format("cd {} && timeout 100 {} 2 {} study --budget 1s",
                                     scratch.directory().string(), LAUNCH, ALLTOLD_BINARY));
    };
    const auto first = study();
    EXPECT_LE(first.status, 1) << first.out; // in a second not all is measured well enough
    for (const char* name : {"study.db", "profile.json", "page.txt"})
        EXPECT_TRUE(std::filesystem::exists(scratch / "alltold-study" / name)) << name;
    EXPECT_NE(first.out.find("alltold-study/page.txt"), std::string::npos) << first.out;
    const auto page = contents(scratch / "alltold-study/page.txt");
    EXPECT_LE(study().status, 1);
    EXPECT_EQ(contents(scratch / "alltold-study/page.txt"), page);
    EXPECT_TRUE(std::filesystem::exists(scratch / "alltold-study-2/page.txt"));
}

TEST(StudyFolder, WithFilesOfTheUserIsLeftAlone) {
    NEEDS_LAB();
    for (const char* name : {"settings.json", "page.txt", "profile.json", "truth.json"}) {
        const test::Scratch scratch;
        std::ofstream(scratch / name) << "{\"mine\": true}\n";
        const auto ran = run_shell(
            fmt::format("timeout 60 {} study --clusters 2 --nic 1Gbit --budget 1s --keep {}",
                        ALLTOLD_BINARY, scratch.directory().string()));
        EXPECT_EQ(ran.status, 2) << name << ran.out;
        EXPECT_NE(ran.out.find(fmt::format("{}: exists and is not", (scratch / name).string())),
                  std::string::npos)
            << ran.out;
        EXPECT_EQ(contents(scratch / name), "{\"mine\": true}\n");
    }
}

TEST(StudyFolder, IsNotLeftByAStartThatFails) {
    NEEDS_LAB();
    const test::Scratch scratch;
    const auto in =
        fmt::format("cd {} && timeout 60 {} ", scratch.directory().string(), ALLTOLD_BINARY);
    EXPECT_EQ(run_shell(in + "study --tcp nosuch").status, 3);
    EXPECT_EQ(run_shell(in + "study --tcp nosuch --keep new/one").status, 3);
    EXPECT_EQ(run_shell(in + "lab --clusters 2 --truth truth.json --tcp nosuch -- true").status, 3);
    EXPECT_EQ(run_shell(in + "lab --clusters 2 --truth truth.json -- nosuchprogram").status, 2);
    EXPECT_NE(run_shell(fmt::format("cd {} && timeout 60 {} 1 {} study --keep one",
                                    scratch.directory().string(), LAUNCH, ALLTOLD_BINARY))
                  .status,
              0);
    EXPECT_TRUE(std::filesystem::is_empty(scratch.directory()));
}

TEST(StudyFolder, IsOfOnePlace) {
    const test::Scratch scratch;
    const auto study = [&](const std::string& launch, const std::string& keep) {
        return run_shell(fmt::format("cd {} && timeout 60 {} {} study --budget 10ms --keep {}",
                                     scratch.directory().string(), launch, ALLTOLD_BINARY, keep));
    };
    const auto launch = fmt::format("{} 2", LAUNCH);
    const std::string truth = "{\"alltold_lab\": 1}\n";
    // What a lab that was killed before it measured left goes away,
    std::filesystem::create_directory(scratch / "a");
    std::ofstream(scratch / "a/truth.json") << truth;
    EXPECT_LE(study(launch, "a").status, 1);
    EXPECT_FALSE(std::filesystem::exists(scratch / "a/truth.json"));
    // what it measured does not,
    std::ofstream(scratch / "a/truth.json") << truth;
    auto ran = study(launch, "a");
    EXPECT_NE(ran.status, 0);
    EXPECT_NE(ran.out.find("a: holds a lab's study"), std::string::npos) << ran.out;
    EXPECT_EQ(contents(scratch / "a/truth.json"), truth);
    // nor does a lab write beside what hosts measured.
    NEEDS_LAB();
    std::filesystem::remove(scratch / "a/truth.json");
    ran = study("", "a");
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.out.find("a: holds a study of hosts"), std::string::npos) << ran.out;
    EXPECT_FALSE(std::filesystem::exists(scratch / "a/truth.json"));
}

TEST(StudyFolder, IsRefusedBeforeALabStarts) {
    NEEDS_LAB();
    const test::Scratch scratch;
    const auto store = scratch / "a/study.db", truth = scratch / "a/truth.json";
    const auto study = [&](const std::string& options) {
        return run_shell(
            fmt::format("cd {} && timeout 60 {} study --json --budget 10ms --keep a {}",
                        scratch.directory().string(), ALLTOLD_BINARY, options));
    };
    EXPECT_LE(study("--clusters 2+1x2").status, 1);
    const auto written = contents(truth);
    EXPECT_NE(written, "");
    const auto expect_refused = [&](const std::string& options, int status, const char* said) {
        const auto ran = study(options);
        EXPECT_EQ(ran.status, status) << ran.out;
        EXPECT_NE(ran.out.find(said), std::string::npos) << ran.out;
        EXPECT_EQ(ran.out.find("starting a lab"), std::string::npos) << ran.out;
        EXPECT_EQ(contents(truth), written);
    };
    for (const auto& [options, said] :
         {std::pair{"--clusters 2", "a: holds a study of another lab: in truth.json clusters is"},
          std::pair{"--clusters 2+1x2 --nic 20Mbit", "nic/rate_bit_per_s is 50000000.0 there and"},
          std::pair{"--clusters 2@60Mbit+1x2", "nic/of_clusters/0/rate_bit_per_s is null there"},
          std::pair{"--clusters 2+1x2 --buffer 32KiB", "switch/port_buffer_bytes is 65536 there"},
          std::pair{"--clusters 2+1x2 --wan 200Mbit,6ms,512KiB", "wan/one_way_delay_s is 0.005"},
          std::pair{"--clusters 2+1x2 --start barrier", "study.db: describes another network"}})
        expect_refused(options, 2, said);
    for (const auto& file : {store, truth}) {
        const auto running = WriterLock::take(file);
        ASSERT_TRUE(running);
        expect_refused("--clusters 2+1x2", 3, "another process");
    }
    SQLite::Database(store, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 2");
    expect_refused("--clusters 2+1x2", 2, "has format 2");
    SQLite::Database(store, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 3");
    EXPECT_LE(study("--clusters 2+1x2").status, 1) << "goes on";
}

TEST(StudyFolder, IsOfOneLabInsideLabsToo) {
    NEEDS_LAB();
    const test::Scratch scratch;
    const auto study = [&](const std::string& lab) {
        return run_shell(fmt::format(
            "cd {} && timeout 60 {} lab --clusters 2 {} -- {} -n 2 {} study --budget 10ms --keep a",
            scratch.directory().string(), ALLTOLD_BINARY, lab, LAB_LAUNCHER, ALLTOLD_BINARY));
    };
    EXPECT_LE(study("").status, 1);
    EXPECT_LE(study("").status, 1);
    const auto ran = study("--nic 20Mbit");
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_NE(ran.out.find("a: holds a study of another lab"), std::string::npos) << ran.out;
}

TEST(StudyFolder, HasNoHalfOfTheSettings) {
    NEEDS_LAB();
    const test::Scratch scratch;
    run_shell(fmt::format("cd {} && timeout -s KILL 4 {} study --clusters 2 --keep a",
                          scratch.directory().string(), ALLTOLD_BINARY));
    EXPECT_TRUE(std::filesystem::exists(scratch / "a/truth.json"));
    EXPECT_FALSE(std::filesystem::exists(scratch / "a/settings.json"));
}

} // namespace
} // namespace alltold
