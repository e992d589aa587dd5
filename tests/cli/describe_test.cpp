// SPDX-License-Identifier: BSD-3-Clause
// Man pages and completions have every subcommand and option of --help.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "program.hpp"

namespace alltold::test {
namespace {

struct Help {
    std::string command; ///< "export csv"
    std::vector<std::string> options, subcommands;
};

/// What the --help of `command` lists.
Help help_of(const std::string& command) {
    Help help{command, {}, {}};
    std::vector<std::string> arguments;
    std::istringstream words(command + " --help");
    for (std::string word; words >> word;)
        arguments.push_back(word);
    std::istringstream lines(run_alltold(arguments).output);
    std::string section;
    for (std::string line; std::getline(lines, line);) {
        if (line.ends_with(':') && !line.starts_with(' '))
            section = line;
        if (line.size() < 3 || !line.starts_with("  ") || line[2] == ' ')
            continue;
        const auto first = line.substr(2, line.find(' ', 2) - 2);
        if (section == "Options:")
            help.options.push_back(first.substr(first.find("--")));
        else if (section == "Subcommands:")
            help.subcommands.push_back(first);
    }
    return help;
}

/// Of alltold itself and of all subcommands.
std::vector<Help> all_help() {
    std::vector<Help> all{help_of("")};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const auto& name : std::vector(all[i].subcommands))
            all.push_back(help_of(all[i].command.empty() ? name : all[i].command + " " + name));
    return all;
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// `text` with `to` for each `from`.
std::string replaced(const std::string& text, char from, const std::string& to) {
    std::string made;
    for (const char c : text)
        made += c == from ? to : std::string(1, c);
    return made;
}

/// Words that a shell may offer for the last of these.
std::string offered(const std::string& command, const std::string& last) {
    std::vector<std::string> arguments{"__complete"};
    std::istringstream words(command);
    for (std::string word; words >> word;)
        arguments.push_back(word);
    arguments.push_back(last);
    return "\n" + run_alltold(arguments).output;
}

class Describe : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto run = run_alltold({"describe", folder.directory().string()});
        ASSERT_EQ(run.exit_status, 0) << run.errors;
    }
    Scratch folder;
};

TEST_F(Describe, HasEveryOptionOfHelp) {
    std::size_t options = 0;
    for (const auto& help : all_help()) {
        SCOPED_TRACE(help.command);
        const auto first = help.command.substr(0, help.command.find(' '));
        const auto page =
            text_of(folder / fmt::format("man1/alltold{}{}.1", first.empty() ? "" : "-", first));
        const auto completed = offered(help.command, "-");
        for (const auto& option : help.options) {
            SCOPED_TRACE(option);
            ++options;
            EXPECT_NE(page.find(fmt::format("\\fB{}\\fR", replaced(option, '-', "\\-"))),
                      page.npos);
            EXPECT_NE(completed.find("\n" + option + "\t"), completed.npos);
        }
    }
    EXPECT_GT(options, 100U); // else --help was not understood
}

TEST_F(Describe, HasEverySubcommandOfHelp) {
    std::size_t subcommands = 0;
    for (const auto& help : all_help()) {
        const auto completed = help.subcommands.empty() ? "" : offered(help.command, "");
        for (const auto& name : help.subcommands) {
            SCOPED_TRACE(help.command + " " + name);
            ++subcommands;
            EXPECT_NE(completed.find("\n" + name + "\t"), completed.npos);
            const auto page = text_of(
                folder / ("man1/alltold-" + (help.command.empty() ? name : help.command) + ".1"));
            EXPECT_NE(page.find(".SH EXIT STATUS"), page.npos);
            EXPECT_NE(page.find(".SH EXAMPLES"), page.npos);
            if (!help.command.empty()) {
                EXPECT_NE(page.find("alltold " + help.command + " " + name), page.npos);
            }
        }
    }
    EXPECT_GT(subcommands, 20U);
}

TEST(Complete, HidesWhatHelpHides) {
    const auto completed = offered("", "");
    EXPECT_EQ(completed.find("call-once"), completed.npos);
    EXPECT_EQ(completed.find("describe"), completed.npos);
}

TEST(Complete, OffersValuesOfOptionsAndArguments) {
    EXPECT_EQ(offered("rank net.json", "allr"), "\nallreduce\t\n");
    EXPECT_EQ(offered("rank net.json bcast --start", "l"), "\nloop\t\n");
    EXPECT_EQ(offered("measure", "--collective=bcast,gat"), "\n--collective=bcast,gather\t\n");
    EXPECT_EQ(offered("rank", "@gig"), "\n@gigabit-ethernet-2007\t\n:files\n");
    EXPECT_EQ(offered("measure --hostfile", ""), "\n:files\n");
    EXPECT_EQ(offered("rank net.json bcast -n", ""), "\n");
}

TEST(Complete, KnowsWhereAnotherCommandLineStarts) {
    EXPECT_EQ(offered("lab --clusters 6+6 --", "mpi"), "\n:command 5\n");
    EXPECT_EQ(offered("exec --profile net.json mpirun -n", "4"), "\n:command 4\n");
    EXPECT_EQ(offered("exec", "mpi"), "\n:command 2\n");
}

} // namespace
} // namespace alltold::test
