// SPDX-License-Identifier: BSD-3-Clause
// Output that cannot be written is an error, and a bad command line is one whatever launched it.
#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "program.hpp"

namespace alltold::test {
namespace {

int status_of(const std::string& arguments) {
    const int status = std::system((ALLTOLD_PROGRAM " " + arguments + " 2>/dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Output, IsNotLostWithoutAWord) {
    for (const std::string line :
         {"--help", "list", "predict @gigabit-ethernet-2007 alltoall -n 4 -m 1KiB",
          "rules @gigabit-ethernet-2007"})
        for (const char* where : {" >/dev/full", " >&-"}) {
            EXPECT_EQ(status_of(line + " >/dev/null"), 0) << line;
            EXPECT_EQ(status_of(line + where), 3) << line << where;
        }
}

TEST(Output, SaysWhatIsWrongWhateverTheEnvironment) {
    ::setenv("SLURM_PROCID", "3", 1);
    const auto run = run_alltold({"predict", "--no-such-option"});
    ::unsetenv("SLURM_PROCID");
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_NE(run.errors, "");
}

} // namespace
} // namespace alltold::test
