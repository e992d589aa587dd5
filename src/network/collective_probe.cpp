// SPDX-License-Identifier: BSD-3-Clause
#include "network/collective_probe.hpp"

#include <fmt/format.h>

namespace alltold {
namespace {

constexpr std::string_view within_a_cluster = "within";

} // namespace

std::optional<CollectiveProbe> CollectiveProbe::parse(std::string_view text) {
    CollectiveProbe probe;
    if (const auto colon = text.find(':'); colon != text.npos) {
        const auto before = text.substr(0, colon);
        probe.within = before == within_a_cluster;
        const auto start_mode = parse_start_mode(before);
        if (start_mode)
            probe.start_mode = *start_mode;
        else if (!probe.within)
            return std::nullopt;
        text.remove_prefix(colon + 1);
    }
    const auto collective = collective_named(text);
    if (!collective)
        return std::nullopt;
    probe.collective = *collective;
    return probe;
}

std::string CollectiveProbe::text() const {
    if (within)
        return fmt::format("{}:{}", within_a_cluster, name_of(collective));
    return start_mode ? fmt::format("{}:{}", name_of(*start_mode), name_of(collective))
                      : std::string(name_of(collective));
}

StartMode start_mode_of(std::string_view probe, StartMode usual) {
    const auto parsed = CollectiveProbe::parse(probe);
    return parsed && parsed->start_mode ? *parsed->start_mode : usual;
}

std::string_view name_of(StartMode start_mode) {
    switch (start_mode) {
    case StartMode::silence:
        return "silence";
    case StartMode::barrier:
        return "barrier";
    case StartMode::loop:
        break;
    }
    return "loop";
}

std::string_view in_words(StartMode start_mode) {
    return start_mode == StartMode::silence   ? "after a silence"
           : start_mode == StartMode::barrier ? "after a barrier"
                                              : "in a loop";
}

StartMode second_start(StartMode usual) {
    return usual == StartMode::silence ? StartMode::barrier : StartMode::silence;
}

Result<StartMode> parse_start_mode(std::string_view text) {
    for (const auto start_mode : {StartMode::silence, StartMode::barrier, StartMode::loop})
        if (name_of(start_mode) == text)
            return start_mode;
    return bad_input(fmt::format("'{}' is not one of silence, barrier, loop", text));
}

} // namespace alltold
