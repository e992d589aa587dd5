// SPDX-License-Identifier: BSD-3-Clause
// Where a study keeps what it found, and what it leaves alone.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../lab/run.hpp"
#include "../scratch.hpp"
#include "lab/lab.hpp"

namespace alltold {
namespace {

using lab_tests::run_shell;

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

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

} // namespace
} // namespace alltold
