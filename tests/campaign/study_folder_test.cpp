// SPDX-License-Identifier: BSD-3-Clause
// Where a study keeps what it found, and what it leaves alone.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../lab/run.hpp"
#include "../scratch.hpp"
#include "lab/lab.hpp"

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
