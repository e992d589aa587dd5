// SPDX-License-Identifier: BSD-3-Clause
// What comes in front of a collective's name.
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

} // namespace alltold
