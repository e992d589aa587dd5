// SPDX-License-Identifier: BSD-3-Clause
// Man pages and completions have every subcommand and option of --help.
#include <algorithm>
#include <cstddef>
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

/// The text from `first` to the next `last`.
std::string between(const std::string& text, const std::string& first, const std::string& last) {
    const auto from = text.find(first);
    if (from == text.npos)
        return "";
    const auto to = std::min(text.find(last, from + first.size()), text.size());
    return {text.begin() + static_cast<std::ptrdiff_t>(from),
            text.begin() + static_cast<std::ptrdiff_t>(to)};
}

/// The lines with this text.
std::string lines_with(const std::string& text, const std::string& wanted) {
    std::string found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.find(wanted) != line.npos)
            found += line + "\n";
    return found;
}

/// `text` with `to` for each `from`.
std::string replaced(const std::string& text, char from, const std::string& to) {
    std::string made;
    for (const char c : text)
        made += c == from ? to : std::string(1, c);
    return made;
}

class Describe : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto run = run_alltold({"describe", folder.directory().string()});
        ASSERT_EQ(run.exit_status, 0) << run.errors;
        bash = text_of(folder / "alltold.bash");
        zsh = text_of(folder / "_alltold");
        fish = text_of(folder / "alltold.fish");
    }
    Scratch folder;
    std::string bash, zsh, fish;
};

TEST_F(Describe, HasEveryOptionOfHelp) {
    std::size_t options = 0;
    for (const auto& help : all_help()) {
        SCOPED_TRACE(help.command);
        const auto first = help.command.substr(0, help.command.find(' '));
        const auto page =
            text_of(folder / fmt::format("man1/alltold{}{}.1", first.empty() ? "" : "-", first));
        const auto in_bash =
            between(bash, fmt::format("        \"{}\")\n", help.command), "words=");
        const auto in_zsh = between(zsh,
                                    fmt::format("\n_alltold{}{}()", first.empty() ? "" : "_",
                                                replaced(help.command, ' ', "_")),
                                    "\n}\n");
        const auto in_fish = lines_with(
            fish, fmt::format("'__alltold_at {}", first.empty() ? "--not" : help.command));
        for (const auto& option : help.options) {
            SCOPED_TRACE(option);
            ++options;
            EXPECT_NE(page.find(fmt::format("\\fB{}\\fR", replaced(option, '-', "\\-"))),
                      page.npos);
            EXPECT_TRUE(in_bash.find(option + " ") != in_bash.npos ||
                        in_bash.find(option + "\"") != in_bash.npos);
            EXPECT_NE(in_zsh.find(option), in_zsh.npos);
            EXPECT_NE(in_fish.find(" -l " + option.substr(2) + " "), in_fish.npos);
        }
    }
    EXPECT_GT(options, 100U); // else --help was not understood
}

TEST_F(Describe, HasEverySubcommandOfHelp) {
    std::size_t subcommands = 0;
    for (const auto& help : all_help())
        for (const auto& name : help.subcommands) {
            SCOPED_TRACE(help.command + " " + name);
            ++subcommands;
            EXPECT_NE(bash.find(fmt::format("            {}:{}) command=", help.command, name)),
                      bash.npos);
            EXPECT_NE(zsh.find(fmt::format("                '{}:", name)), zsh.npos);
            EXPECT_NE(fish.find(fmt::format(" -a {} -d ", name)), fish.npos);
            const auto page = text_of(
                folder / ("man1/alltold-" + (help.command.empty() ? name : help.command) + ".1"));
            EXPECT_NE(page.find(".SH EXIT STATUS"), page.npos);
            EXPECT_NE(page.find(".SH EXAMPLES"), page.npos);
            if (!help.command.empty()) {
                EXPECT_NE(page.find("alltold " + help.command + " " + name), page.npos);
            }
        }
    EXPECT_GT(subcommands, 20U);
}

TEST_F(Describe, HidesWhatHelpHides) {
    EXPECT_EQ(bash.find("call-once"), bash.npos);
    EXPECT_EQ(bash.find("describe"), bash.npos);
}

} // namespace
} // namespace alltold::test
