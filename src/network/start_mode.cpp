// SPDX-License-Identifier: BSD-3-Clause
// Names of start modes.
#include "network/start_mode.hpp"

#include <fmt/format.h>

namespace alltold {

std::string_view name_of(StartMode start_mode) {
    switch (start_mode) {
    case StartMode::silence:
        return "silence";
    case StartMode::barrier:
        return "barrier";
    case StartMode::back_to_back:
        break;
    }
    return "back-to-back";
}

std::string_view what_precedes(StartMode start_mode) {
    return start_mode == StartMode::silence   ? "a silence"
           : start_mode == StartMode::barrier ? "a barrier"
                                              : "the same call";
}

StartMode second_start(StartMode usual) {
    return usual == StartMode::silence ? StartMode::barrier : StartMode::silence;
}

Result<StartMode> parse_start_mode(std::string_view text) {
    for (const auto start_mode : {StartMode::silence, StartMode::barrier, StartMode::back_to_back})
        if (name_of(start_mode) == text)
            return start_mode;
    return bad_input(fmt::format("'{}' is not one of silence, barrier, back-to-back", text));
}

} // namespace alltold
