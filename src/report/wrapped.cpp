// SPDX-License-Identifier: BSD-3-Clause
// Breaks text between words.
#include "report/wrapped.hpp"

#include <algorithm>
#include <array>

namespace alltold {
namespace {

/// Whether a word is the unit of a number before it, from which it is not parted.
bool is_unit(std::string_view word) {
    constexpr std::array<std::string_view, 11> units{"%",   "B",  "KiB", "MiB", "GiB", "TiB",
                                                     "PiB", "us", "ms",  "s",   "ns"};
    return std::ranges::find(units, word.substr(0, word.find_first_of(".,:;)"))) != units.end();
}

/// The first word of `text`, with its unit if it is a number.
std::string_view first_word(std::string_view text) {
    const auto end = std::min(text.find(' '), text.size());
    if (end == 0 || end == text.size() || text[end - 1] < '0' || text[end - 1] > '9')
        return text.substr(0, end);
    const auto next = text.substr(end + 1, text.substr(end + 1).find(' '));
    return text.substr(0, is_unit(next) ? end + 1 + next.size() : end);
}

} // namespace

std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns,
                    std::string_view mark) {
    std::string lines, line;
    bool any = false; // whether the line has a word
    std::size_t from = 0;
    while (from < text.size()) {
        const auto word = first_word(std::string_view(text).substr(from));
        const auto end = from + word.size();
        const auto room = columns - (end < text.size() ? mark.size() : 0);
        if (any && line.size() + 1 + word.size() > room) {
            lines += line + std::string(mark) + "\n";
            line = std::string(indent, ' ');
            any = false;
        }
        line += (any ? " " : "") + std::string(word);
        any = true;
        from = end + 1;
    }
    return lines + line + "\n";
}

} // namespace alltold
