// SPDX-License-Identifier: BSD-3-Clause
// Splits comma-separated and similar lists, and trims their entries.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace alltold {

/// What lies between the separators; one empty entry of an empty text. The entries point into it.
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

} // namespace alltold
