// SPDX-License-Identifier: BSD-3-Clause
// A start mode in front of a collective's name.
#include "network/collective_probe.hpp"

#include <fmt/format.h>

namespace alltold {

std::optional<CollectiveProbe> CollectiveProbe::parse(std::string_view text) {
    CollectiveProbe probe;
    if (const auto colon = text.find(':'); colon != text.npos) {
        const auto start_mode = parse_start_mode(text.substr(0, colon));
        if (!start_mode)
            return std::nullopt;
        probe.start_mode = *start_mode;
        text.remove_prefix(colon + 1);
    }
    const auto collective = collective_named(text);
    if (!collective)
        return std::nullopt;
    probe.collective = *collective;
    return probe;
}

std::string CollectiveProbe::text() const {
    return start_mode ? fmt::format("{}:{}", name_of(*start_mode), name_of(collective))
                      : std::string(name_of(collective));
}

StartMode start_mode_of(std::string_view probe, StartMode usual) {
    const auto parsed = CollectiveProbe::parse(probe);
    return parsed && parsed->start_mode ? *parsed->start_mode : usual;
}

} // namespace alltold
