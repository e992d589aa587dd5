// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's two formats. Sizes of collectives with a block per rank are bytes of a block times
// ranks.
#include <fmt/format.h>

#include "rulefile/exported.hpp"
#include "rulefile/openmpi_table.hpp"

namespace alltold::rulefile {
namespace {

int number_of(Collective collective, const Choice& choice) {
    if (choice.is_default())
        return 0;
    const auto row = find_library_algorithm(MpiLibrary::open_mpi, collective, choice.library);
    return row ? (*row)->number : 0;
}

/// Bands of which every communicator size has the same keys.
std::vector<ExportedBand> by_key(const Exported& exported) {
    std::vector<ExportedBand> bands;
    for (const auto& band : exported.bands) {
        const bool times_ranks =
            openmpi_collective(name_of(band.collective))->times_ranks && band.rules.size() > 1;
        if (!times_ranks) {
            bands.push_back(band);
            continue;
        }
        for (int n = band.from_ranks; n <= band.to_ranks; ++n) {
            auto rules = band.rules;
            for (auto& rule : rules)
                rule.from_bytes *= static_cast<std::uint64_t>(n);
            bands.push_back({band.collective, n, n, std::move(rules)});
        }
    }
    return bands;
}

std::string classic_rule(Collective collective, const ExportedRule& rule) {
    const auto number = number_of(collective, rule.choice);
    return fmt::format("    {} {} 0 {}  # {}\n", rule.from_bytes, number,
                       rule.choice.parameters.segment_bytes,
                       number == 0 ? "as the library decides" : rule.choice.library);
}

} // namespace

std::string openmpi_classic(const Exported& exported) {
    const auto bands = by_key(exported);
    std::string text;
    int collectives = 0;
    for (auto first = bands.begin(); first != bands.end();) {
        const auto last = std::find_if(first, bands.end(), [&](const ExportedBand& band) {
            return band.collective != first->collective;
        });
        // A communicator size counts up to the next, so one behind each band ends it.
        std::string entries;
        int count = 0, next = 0;
        const auto decide_itself = [&](int ranks) {
            entries += fmt::format("  {} 1  # ranks, rules\n    0 0 0 0\n", ranks);
            ++count;
        };
        for (auto band = first; band != last; ++band) {
            if (band->from_ranks != next)
                decide_itself(next);
            entries +=
                fmt::format("  {} {}  # ranks, rules\n", band->from_ranks, band->rules.size());
            for (const auto& rule : band->rules)
                entries += classic_rule(band->collective, rule);
            ++count;
            next = band->to_ranks + 1;
        }
        decide_itself(next);
        const auto& row = *openmpi_collective(name_of(first->collective));
        text += fmt::format("{} {}  # {}, {}: communicator sizes\n{}", row.id, count, row.name,
                            row.times_ranks ? "bytes of a block times ranks" : "bytes", entries);
        ++collectives;
        first = last;
    }
    return fmt::format("# rules of alltold for Open MPI's component tuned: size, algorithm, "
                       "fan-out, segment\n{}  # collectives\n{}",
                       collectives, text);
}

std::string openmpi_json(const Exported& exported) {
    std::string text;
    const auto bands = by_key(exported);
    for (auto band = bands.begin(); band != bands.end(); ++band) {
        const bool starts =
            band == bands.begin() || std::prev(band)->collective != band->collective;
        if (starts)
            text += fmt::format("{}    \"{}\": [", text.empty() ? "\n" : "\n    ],\n",
                                name_of(band->collective));
        std::string rules;
        for (std::size_t i = 0; i < band->rules.size(); ++i) {
            const auto& rule = band->rules[i];
            if (rule.choice.is_default())
                continue;
            rules += fmt::format("{}\n        {{\"msg_size_min\": {}", rules.empty() ? "" : ",",
                                 rule.from_bytes);
            if (i + 1 < band->rules.size())
                rules += fmt::format(", \"msg_size_max\": {}", band->rules[i + 1].from_bytes - 1);
            rules += fmt::format(", \"alg\": \"{}\"", rule.choice.library);
            if (const auto segment_bytes = rule.choice.parameters.segment_bytes)
                rules += fmt::format(", \"seg_size\": {}", segment_bytes);
            if (const auto window = rule.choice.parameters.window)
                rules += fmt::format(", \"reqs\": {}", window);
            rules += "}";
        }
        text += fmt::format(
            "{}\n      {{\"comm_size_min\": {}, \"comm_size_max\": {}, \"rules\": [{}]}}",
            starts ? "" : ",", band->from_ranks, band->to_ranks, rules);
    }
    return fmt::format("{{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n"
                       "  \"collectives\": {{{}{}}}\n}}\n",
                       text, bands.empty() ? "" : "\n    ]\n  ");
}

} // namespace alltold::rulefile
