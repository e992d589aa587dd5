// SPDX-License-Identifier: BSD-3-Clause
// Letters up to the first word with a number.
#include "site/library_version.hpp"

#include <algorithm>
#include <cctype>

#include "core/text.hpp"

namespace alltold::site {
namespace {

bool is(int (*kind)(int), char c) {
    return kind(static_cast<unsigned char>(c)) != 0;
}

} // namespace

std::optional<LibraryVersion> library_version(std::string_view text) {
    LibraryVersion found;
    std::string line(text.substr(0, text.find('\n')));
    std::replace(line.begin(), line.end(), '\t', ' ');
    for (auto word : split_at(line, ' ')) {
        word = word.substr(0, word.find(','));
        if (word == "Version:") // of MPICH, before the number
            continue;
        const auto number = word.substr(word.starts_with('v') ? 1 : 0);
        if (!number.empty() && is(std::isdigit, number.front())) {
            const auto end = std::find_if(number.begin(), number.end(),
                                          [](char c) { return !is(std::isalnum, c) && c != '.'; });
            found.version.assign(number.begin(), end);
            break;
        }
        for (const char c : word)
            if (is(std::isalpha, c))
                found.library += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (found.library.empty() || found.version.empty())
        return std::nullopt;
    return found;
}

std::optional<LibraryVersion> parse_library_version(std::string_view word) {
    const auto dash = word.rfind('-');
    if (dash == word.npos || dash == 0 || dash + 1 == word.size())
        return std::nullopt;
    return LibraryVersion{std::string(word.substr(0, dash)), std::string(word.substr(dash + 1))};
}

int common_parts(std::string_view a, std::string_view b) {
    const auto parts_a = split_at(a, '.'), parts_b = split_at(b, '.');
    const auto [end, other] = std::ranges::mismatch(parts_a, parts_b);
    return static_cast<int>(end - parts_a.begin());
}

} // namespace alltold::site
