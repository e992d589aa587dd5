// SPDX-License-Identifier: BSD-3-Clause
// Output that cannot be written is an error, and a bad command line is one whatever launched it.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "../scratch.hpp"
#include "program.hpp"

namespace alltold::test {
namespace {

int status_of(const std::string& arguments) {
    const int status = std::system((ALLTOLD_PROGRAM " " + arguments + " 2>/dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Output, IsNotLostWithoutAWord) {
    const Scratch folder;
    const auto profile = (folder / "net.json").string();
    for (const std::string& line :
         {std::string("--help"), std::string("list"),
          std::string("predict @gigabit-ethernet-2007 alltoall -n 4 -m 1KiB"),
          std::string("rules @gigabit-ethernet-2007"),
          fmt::format("fit {} -o {} --max-ranks 4", GOLDEN_STORE, profile),
          fmt::format("validate {} {}", GOLDEN_STORE, profile)}) {
        const int usual = status_of(line + " >/dev/null");
        EXPECT_LE(usual, line.starts_with("fit") ? 1 : 0) << line; // too few sizes for all models
        for (const char* where : {" >/dev/full", " >&-"})
            EXPECT_EQ(status_of(line + where), 3) << line << where;
    }
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        longest = std::max(longest, line.size());
    return longest;
}

/// The subcommands that --help lists.
std::vector<std::string> subcommands() {
    std::vector<std::string> names;
    std::istringstream help(run_alltold({"--help"}).output);
    bool listed = false;
    for (std::string line; std::getline(help, line); listed = listed || line == "Subcommands:")
        if (listed && line.size() > 2 && line[2] != ' ')
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    return names;
}

TEST(Output, FitsAScreen) {
    std::vector<std::vector<std::string>> commands{
        {"--help"},
        {"export", "openmpi", "--help"},
        {"export", "simgrid", "--help"},
        {"list"},
        {"rank", "@gigabit-ethernet-2007", "bcast", "-n", "24", "-m", "1MiB", "--why"},
        {"predict", "@gigabit-ethernet-2007", "bcast", "-n", "24,48", "-m", "1MiB"},
        {"rules", "@gigabit-ethernet-2007"}};
    EXPECT_GT(subcommands().size(), 12U);
    for (const auto& subcommand : subcommands())
        commands.push_back({subcommand, "--help"});
    for (const auto& arguments : commands) {
        const auto run = run_alltold(arguments);
        EXPECT_EQ(run.exit_status, 0) << arguments[0];
        EXPECT_NE(run.output, "") << arguments[0];
        EXPECT_LE(longest_line(run.output), 100U) << run.output;
    }
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{}, {"rulez"}, {"predict", "--no-such"}})
        EXPECT_LE(longest_line(run_alltold(arguments).errors), 100U);
}

/// What a terminal of so many columns shows.
std::string on_terminal(int columns, const std::string& arguments) {
    Scratch folder;
    const auto file = (folder / "screen").string();
    const auto line = fmt::format("script -qec 'stty cols {}; {} {}' {} >/dev/null 2>&1 </dev/null",
                                  columns, ALLTOLD_PROGRAM, arguments, file);
    EXPECT_EQ(std::system(line.c_str()), 0);
    std::ifstream stream(file);
    std::string text;
    for (std::string row; std::getline(stream, row);)
        if (!row.starts_with("Script "))
            text += row.substr(0, row.find('\r')) + "\n";
    return text;
}

TEST(Output, OfHelpIsAsWideAsTheTerminal) {
    const auto narrow = on_terminal(70, "tune --help");
    EXPECT_LE(longest_line(narrow), 70U) << narrow;
    EXPECT_NE(narrow.find("\\\n"), std::string::npos) << "the example goes on: " << narrow;
    EXPECT_GT(longest_line(on_terminal(200, "tune --help")), 80U);
    EXPECT_LE(longest_line(on_terminal(200, "tune --help")), 100U);
}

TEST(Output, SaysWhatIsWrongWhateverTheEnvironment) {
    std::vector<std::string> names{"predict", "exec"};
#ifdef ALLTOLD_WITH_MPI
    names.insert(names.end(), {"measure", "run", "tune", "study"});
#endif
    for (const auto* variable : {"SLURM_PROCID", "PMI_RANK", "OMPI_COMM_WORLD_RANK"}) {
        ::setenv(variable, "3", 1);
        for (const auto& name : names) {
            const auto run = run_alltold({name, "--no-such-option"});
            EXPECT_EQ(run.exit_status, 2) << variable << " " << name;
            EXPECT_NE(run.errors, "") << variable << " " << name;
        }
        ::unsetenv(variable);
    }
}

} // namespace
} // namespace alltold::test
