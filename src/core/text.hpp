// SPDX-License-Identifier: BSD-3-Clause
// Text of files and users: split, compared, and shown without what a terminal would obey.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace alltold {

/// The parts between the separators; one empty part of an empty text. They point into it.
inline std::vector<std::string_view> split_at(std::string_view text, char separator) {
    std::vector<std::string_view> entries;
    for (std::size_t from = 0; from <= text.size();) {
        const auto to = std::min(text.find(separator, from), text.size());
        entries.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return entries;
}

/// Without `blanks` at both ends; it points into `text`.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
    const auto from = text.find_first_not_of(blanks);
    return from == text.npos ? text.substr(0, 0)
                             : text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

/// Longer words are no mistyped names, and long ones take long.
inline constexpr std::size_t longest_mistyped_word = 64;

/// The least number of characters to insert, delete or replace to turn `a` into `b` (Levenshtein,
/// 1966).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The text as valid UTF-8 on one line: control characters of ASCII become blanks; other control
/// characters and those that change the direction of writing become U+FFFD; bytes that are no UTF-8
/// are written as a shell's $'...' takes them, such as \xff.
std::string plain_text(std::string_view text);

/// The message as one line that fits a screen, whatever the input had in it. Of a longer one the
/// middle is left out: it begins with a name and ends with what would be right.
inline std::string one_line(const std::string& message) {
    constexpr std::size_t most = 285, most_at_the_end = 100;
    const auto line = plain_text(message);
    if (line.size() <= most)
        return line;
    const auto continues = [&](std::size_t at) {
        return (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80;
    };
    auto head = most - 3 - most_at_the_end, tail = line.size() - most_at_the_end;
    while (continues(head))
        --head;
    while (tail < line.size() && continues(tail))
        ++tail;
    return line.substr(0, head) + "..." + line.substr(tail);
}

/// Writes it to standard error at once. Where that cannot be written there is nobody to tell, and
/// the work goes on.
inline void say(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

} // namespace alltold
