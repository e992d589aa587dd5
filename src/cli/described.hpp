// SPDX-License-Identifier: BSD-3-Clause
// The contents of a subcommand's --help as data: man pages and completions are made from it.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace alltold::cli {

/// An option, or an argument without a name.
struct DescribedOption {
    std::vector<std::string> names; ///< "-n" and "--ranks"; of an argument, its name alone
    std::string value;              ///< "TEXT"; empty for a flag
    std::string description;        ///< with the default, and what it needs and excludes
    std::vector<std::string> words; ///< values to offer; empty if any text is one
    bool files = true;              ///< whether a file's name may be a value
    bool required = false, several = false;
};

struct DescribedCommand {
    std::string name; ///< "rank" or "export openmpi"; empty for alltold itself
    std::string description, footer;
    std::string example; ///< one or more lines
    std::vector<DescribedOption> options, arguments;
    std::vector<DescribedCommand> subcommands;
    bool runs_command = false; ///< another command line follows, after "--"
};

/// Everything that --help lists, of `app` and its subcommands.
DescribedCommand described(const CLI::App& app);

/// The lines that tell a shell what fits as the last of `words`, which follow the program's name: a
/// line for each word, with a tab and its description; ":files" where files fit; ":command N" where
/// word N starts another command line.
std::string completions(const CLI::App& app, std::vector<std::string> words);

} // namespace alltold::cli
