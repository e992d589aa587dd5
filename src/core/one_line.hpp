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
    if (message.size() > most)
        message = message.substr(0, most - 3) + "...";
    return message;
}

} // namespace alltold
