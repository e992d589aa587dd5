// SPDX-License-Identifier: BSD-3-Clause
// Printing rules, and what they count.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.hpp"
#include "predict/rules/rule.hpp"

namespace alltold {
namespace {

/// Prints the exclusive upper limit of sizes, so that neighbouring rules share a number.
std::string sizes_text(const Span& sizes) {
    if (sizes == Span{})
        return "any";
    if (sizes.least == sizes.most)
        return format_size_word(sizes.least);
    return fmt::format("{}-{}", sizes.least > 0 ? format_size_word(sizes.least) : "",
                       sizes.most != Span::endless ? format_size_word(sizes.most + 1) : "");
}

std::string count_text(const char* name, const Span& counts) {
    if (counts.least == counts.most)
        return fmt::format(":{}={}", name, counts.least);
    if (counts.most == Span::endless)
        return counts.least > 1 ? fmt::format(":{}>={}", name, counts.least) : "";
    if (counts.least <= 1)
        return fmt::format(":{}<={}", name, counts.most);
    return fmt::format(":{}={}-{}", name, counts.least, counts.most);
}

std::string candidate_text(const Candidate& candidate) {
    auto text = std::string(candidate.trial ? trial_word : "") + text_of(candidate.choice);
    for (const auto start : {StartMode::silence, StartMode::barrier, StartMode::loop})
        if (const auto& ratio = candidate.expected.after(start))
            text += fmt::format(" {}={}", name_of(start), *ratio);
    return text;
}

} // namespace

double in_three_digits(double ratio) {
    ratio = std::clamp(ratio, least_ratio, most_ratio);
    const double scale = std::pow(10., 2 - std::floor(std::log10(ratio)));
    return std::round(ratio * scale) / scale;
}

const Choice& Rule::choice_after(std::span<const StartMode> starts) const {
    const auto ratio_after = [](const Choice& candidate, const ExpectedRatios& ratios,
                                StartMode start) {
        return candidate.is_default() ? 1 : ratios.after(start).value_or(INFINITY);
    };
    for (const auto start : starts) {
        const auto* best = &choice;
        double least = ratio_after(choice, expected, start);
        for (const auto& other : others)
            if (const double ratio = ratio_after(other.choice, other.expected, start);
                ratio < least && !other.trial) {
                least = ratio;
                best = &other.choice;
            }
        if (best != &choice)
            return *best;
    }
    return choice;
}

RankCounts::RankCounts(const Clusters& all)
    : ranks(static_cast<std::uint64_t>(all.ranks())),
      clusters(static_cast<std::uint64_t>(all.count())),
      hosts(static_cast<std::uint64_t>(all.hosts())),
      per_host(static_cast<std::uint64_t>(all.most_ranks_of_a_host())),
      spread(all.sizes().begin(), all.sizes().end()) {}

RankCounts::RankCounts(int n, int cluster_count)
    : ranks(static_cast<std::uint64_t>(n)), clusters(static_cast<std::uint64_t>(cluster_count)),
      hosts(ranks) {}

std::string text_of(const Rule& rule) {
    const auto places =
        !rule.spread.empty()
            ? fmt::format(":clusters={}", fmt::join(rule.spread, "+"))
            : count_text("n", rule.ranks) + (rule.clusters == Span{1, 1}
                                                 ? ":one cluster"
                                                 : count_text("clusters", rule.clusters));
    auto text =
        fmt::format("{}:{}{}{}{} = {}", name_of(rule.collective), sizes_text(rule.size_bytes),
                    places, count_text("hosts", rule.hosts), count_text("per-host", rule.per_host),
                    candidate_text({rule.choice, rule.expected}));
    for (const auto& other : rule.others)
        text += " | " + candidate_text(other);
    return text;
}

std::string text_of(std::span<const Rule> rules) {
    std::string text;
    for (const auto& rule : rules)
        text += text_of(rule) + "\n";
    return text;
}

} // namespace alltold
