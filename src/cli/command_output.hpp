// SPDX-License-Identifier: BSD-3-Clause
// How the user calls this program, and other programs: where they are, what they print, and their
// words quoted for the shell.
#pragma once

#include <span>
#include <vector>

#include "core/text_file.hpp"

namespace alltold::cli {

/// Keeps the name by which this process was called, also for those that it starts, unless it has
/// one: the wrapper ./alltold sets its own in ALLTOLD_COMMAND.
void keep_command_name(const char* called);

/// "./alltold", quoted for the shell where that is necessary.
std::string command_name();

/// "see './alltold rank --help'", which ends the error of a wrong command line; of alltold itself
/// without a subcommand.
std::string see_help(const std::string& subcommand = "");

/// "alltold 0.1.0, commit 1a2b3c4d5e, Open MPI 4.1.4": of the MPI library that is loaded now.
/// Without the commit where the source was not in git.
std::string version_text();

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Runs the command in a shell, with these variables in its environment. Fails unless it exits
/// with 0; only then its standard error is shown.
Result<std::string> output_of(const std::string& command, const Variables& variables = {});

/// Whether write_output may write this file; fails as may_replace does.
Status may_write_output(const std::string& file, const FileKind& kind);
/// Writes `text` to the file, or to standard output if its name is empty or "-".
Status write_output(const std::string& file, const std::string& text, const FileKind& kind);

/// The path of this program.
std::string own_program();

/// Fails for a program that execvp would not find or may not run.
Status check_program(const std::string& program);

inline std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

inline std::string quoted(std::span<const std::string> words) {
    std::string line;
    for (const auto& word : words) {
        if (!line.empty())
            line += ' ';
        line += quoted(word);
    }
    return line;
}

} // namespace alltold::cli
