// SPDX-License-Identifier: BSD-3-Clause
// Other programs: where they are, what they print, and their words quoted for the shell.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace alltold::cli {

/// Variables of the environment with their values.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// Runs the command in a shell, with these variables in its environment. Fails unless it exits
/// with 0; only then its standard error is shown.
Result<std::string> output_of(const std::string& command, const Variables& variables = {});

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
