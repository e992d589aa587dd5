// SPDX-License-Identifier: BSD-3-Clause
// Breaks text between words.
#include "report/wrapped.hpp"

#include <algorithm>

namespace alltold {

std::string wrapped(const std::string& text, std::size_t indent) {
    std::string lines, line;
    bool any = false; // whether the line has a word
    std::size_t from = 0;
    while (from < text.size()) {
        auto end = std::min(text.find(' ', from), text.size());
        if (text.compare(end, 2, " %") == 0) // stays with its number
            end = std::min(text.find(' ', end + 1), text.size());
        const auto word = text.substr(from, end - from);
        if (any && line.size() + 1 + word.size() > page_columns) {
            lines += line + "\n";
            line = std::string(indent, ' ');
            any = false;
        }
        line += (any ? " " : "") + word;
        any = true;
        from = end + 1;
    }
    return lines + line + "\n";
}

} // namespace alltold
