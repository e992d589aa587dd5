// SPDX-License-Identifier: BSD-3-Clause
// Errors as a screen shows them.
#pragma once

#include <string>

namespace alltold {

/// The message as one line that fits a screen, whatever the input had in it.
inline std::string one_line(std::string message) {
    constexpr std::size_t most = 285;
    for (auto& c : message)
        if (static_cast<unsigned char>(c) < ' ' || c == 127)
            c = ' ';
    if (message.size() <= most)
        return message;
    auto end = most - 3;
    const auto continues = [&] {
        return (static_cast<unsigned char>(message[end]) & 0xc0) == 0x80;
    };
    for (int i = 0; i < 3 && continues(); ++i) // a character of UTF-8 has at most four bytes
        --end;
    return message.substr(0, end) + "...";
}

} // namespace alltold
