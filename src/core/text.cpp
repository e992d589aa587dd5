// SPDX-License-Identifier: BSD-3-Clause
#include "core/text.hpp"

#include <numeric>

#include <fmt/format.h>

namespace alltold {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const auto replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

namespace {

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0; ///< 0: not UTF-8
};

Character first_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes)
        return {};
    char32_t code = first & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return {};
        code = code << 6 | (byte(i) & 0x3f);
    }
    constexpr char32_t least[] = {0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least[bytes - 2] || code > 0x10ffff || surrogate)
        return {};
    return {code, bytes};
}

/// C1 controls, separators of lines, and what changes the direction of writing.
bool obeyed(char32_t code) {
    return (code >= 0x80 && code <= 0x9f) || code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

} // namespace

std::string plain_text(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        const auto [code, bytes] = first_of(text);
        if (bytes == 0)
            plain += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        else if (obeyed(code))
            plain += "\xef\xbf\xbd";
        else if (code < ' ' || code == 127)
            plain += ' ';
        else
            plain += text.substr(0, bytes);
        text.remove_prefix(bytes > 0 ? bytes : 1);
    }
    return plain;
}

} // namespace alltold
