// SPDX-License-Identifier: BSD-3-Clause
// One line per operation and one per edge.
#include "store/export/export.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace alltold {
namespace {

std::string line_of(const Operation& operation) {
    if (!operation.is_message())
        return "calc 0";
    const bool in = operation.is_incoming();
    return fmt::format("{} {}b {} {} tag {}", in ? "recv" : "send",
                       std::max<std::uint64_t>(operation.region.size_bytes, 1), in ? "from" : "to",
                       operation.peer, operation.tag);
}

} // namespace

std::string goal_text(std::span<const Schedule> schedules) {
    auto text = fmt::format("{} {}\n", goal_mark, schedules.size());
    auto out = std::back_inserter(text);
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
        const auto& schedule = schedules[rank];
        fmt::format_to(out, "\nrank {} {{\n", rank);
        for (int i = 0; i < schedule.size(); ++i) {
            fmt::format_to(out, "l{}: {}\n", i, line_of(schedule[i]));
            for (const auto before : schedule.after(i))
                fmt::format_to(out, "l{} requires l{}\n", i, before);
        }
        text += "}\n";
    }
    return text;
}

} // namespace alltold
