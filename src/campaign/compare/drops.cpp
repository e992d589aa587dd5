// SPDX-License-Identifier: BSD-3-Clause
// The lab's counters, added up.
#include "campaign/compare/drops.hpp"

#include <cstdlib>

#include "lab/counters.hpp"

namespace alltold::campaign {

std::optional<Drops> dropped_so_far() {
    if (!std::getenv("ALLTOLD_LAB"))
        return std::nullopt;
    const auto counters = lab::read_counters();
    if (!counters)
        return std::nullopt;
    Drops drops;
    for (const auto& port : (*counters)["ports"])
        drops.ports += port["drops"].get<std::uint64_t>();
    if (counters->contains("backbone"))
        for (const auto& cluster : (*counters)["backbone"])
            for (const auto& way : cluster)
                drops.backbone += way["drops"].get<std::uint64_t>();
    return drops;
}

} // namespace alltold::campaign
