// SPDX-License-Identifier: BSD-3-Clause
// alltold exec says what is wrong with its arguments before what this machine lacks.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "program.hpp"

namespace alltold::test {
namespace {

namespace fs = std::filesystem;

/// A copy of the program without the libraries beside it.
class Exec : public testing::Test {
  protected:
    Exec() {
        fs::create_directories(folder_ / "release/bin");
        fs::copy_file(ALLTOLD_PROGRAM, program());
    }
    fs::path program() const { return folder_ / "release/bin/alltold"; }
    alltold::test::Run run(const std::vector<std::string>& arguments) const {
        return run_program(program(), arguments, folder_.directory());
    }
    Scratch folder_;
};

TEST_F(Exec, names_its_own_arguments_first) {
    for (const auto& [arguments, error] : {
             std::pair{std::vector<std::string>{"exec", "./nosuch"},
                       "alltold: exec: cannot run './nosuch': No such file or directory\n"},
             {{"exec", "no_such_program"},
              "alltold: exec: cannot run 'no_such_program': No such file or directory\n"},
             {{"exec", "--rules", "bcast", "--", "true"},
              "alltold: exec: bcast: no such file; expected a file of rules such as "
              "alltoall:64KiB- = alltoall.pairwise\n"},
             {{"exec", "--rules", "bcast:any = nothing", "--", "true"},
              "alltold: exec: --rules:1:13: unknown algorithm 'nothing' of bcast; "},
             {{"exec", "--clusters", "nonsense", "--", "true"},
              "alltold: exec: --clusters: clusters 'nonsense': "},
             {{"exec", "--profile", "none.json", "--", "true"},
              "alltold: exec: none.json: no such file; "},
         }) {
        const auto got = run(arguments);
        EXPECT_EQ(got.exit_status, 2);
        EXPECT_THAT(got.errors, testing::StartsWith(error));
    }
}

TEST_F(Exec, says_how_to_build_or_install_what_is_missing) {
    const auto installed = run({"exec", "--", "true"});
    EXPECT_EQ(installed.exit_status, 3);
    EXPECT_THAT(installed.errors, testing::EndsWith("; install the component program\n"));
    fs::copy_file(ALLTOLD_PROGRAM, folder_ / "release/CMakeCache.txt");
    const auto built = run({"exec", "--", "true"});
    EXPECT_EQ(built.exit_status, 3);
    EXPECT_EQ(built.errors, "alltold: exec: liballtold-preload.so is not built; run scripts/build "
                            "release program\n");
}

TEST(FileLimit, LeavesNoPartOfAFile) {
    const Scratch folder;
    const auto run = run_program(
        "/bin/sh",
        {"-c", "ulimit -f 1; exec " ALLTOLD_PROGRAM " rules @gigabit-ethernet-2007 -o rules"},
        folder.directory());
    EXPECT_EQ(run.errors, "alltold: rules: cannot write it: File too large\n");
    EXPECT_EQ(run.exit_status, 3);
    EXPECT_TRUE(fs::is_empty(folder.directory()));
}

TEST_F(Exec, RefusesAFolderThatLdPreloadCannotHold) {
    for (const auto* name : {"with space", "with:colon"}) {
        const auto folder = folder_ / name;
        fs::create_directories(folder / "bin");
        fs::create_directories(folder / "lib/alltold/openmpi");
        fs::copy_file(ALLTOLD_PROGRAM, folder / "bin/alltold");
        fs::copy_file(ALLTOLD_PROGRAM, folder / "lib/alltold/openmpi/liballtold-preload.so");
        const auto got = run_program(folder / "bin/alltold", {"exec", "--", "true"});
        EXPECT_EQ(got.exit_status, 3);
        EXPECT_THAT(got.errors, testing::HasSubstr("which LD_PRELOAD cannot hold"));
    }
}

} // namespace
} // namespace alltold::test
