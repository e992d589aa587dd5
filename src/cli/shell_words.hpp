// SPDX-License-Identifier: BSD-3-Clause
// Words of a command line, quoted for the shell.
#pragma once

#include <span>
#include <string>

namespace alltold::cli {

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
