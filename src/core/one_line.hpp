// SPDX-License-Identifier: BSD-3-Clause
// Errors as a screen shows them.
#pragma once

#include <string>

#include "core/plain_text.hpp"

namespace alltold {

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

} // namespace alltold
