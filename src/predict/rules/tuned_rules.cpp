// SPDX-License-Identifier: BSD-3-Clause
// Bands of ranks, and in each neighbouring sizes with one winner as one rule.
#include "predict/rules/tuned_rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace alltold {
namespace {

/// By size, by ranks, by collective, number of clusters and ranks per host.
using Band = std::map<std::uint64_t, Choice>;
using Bands = std::map<int, Band>;
using Group = std::tuple<Collective, std::uint64_t, std::uint64_t>;

/// The first number nearer to `b` than to `a` by ratio, a < b.
std::uint64_t middle(std::uint64_t a, std::uint64_t b) {
    const double root =
        std::sqrt(static_cast<double>(std::max<std::uint64_t>(a, 1)) * static_cast<double>(b));
    return std::clamp(static_cast<std::uint64_t>(std::ceil(root)), a + 1, b);
}

void add_band(std::vector<Rule>& rules, Rule rule, const Band& band) {
    std::uint64_t from_bytes = 0;
    for (auto at = band.begin(); at != band.end();) {
        auto next = at;
        auto last = at;
        while (next != band.end() && next->second == at->second)
            last = next++;
        rule.choice = at->second;
        rule.size_bytes = {from_bytes, Span::endless};
        if (next != band.end()) {
            from_bytes = middle(last->first, next->first);
            rule.size_bytes.most = from_bytes - 1;
        }
        rules.push_back(rule);
        at = next;
    }
}

void add_group(std::vector<Rule>& rules, const Group& group, const Bands& bands) {
    const auto [collective, clusters, per_host] = group;
    Rule rule;
    rule.collective = collective;
    rule.clusters = {clusters, clusters};
    rule.per_host = {per_host, per_host};
    std::uint64_t from_ranks = 1;
    for (auto at = bands.begin(); at != bands.end(); ++at) {
        const auto next = std::next(at);
        const auto ranks = static_cast<std::uint64_t>(at->first);
        rule.ranks = {from_ranks, next == bands.end()
                                      ? ranks
                                      : middle(ranks, static_cast<std::uint64_t>(next->first)) - 1};
        add_band(rules, rule, at->second);
        from_ranks = rule.ranks.most + 1;
    }
}

} // namespace

std::vector<Rule> tuned_rules(std::span<const CallWinner> winners,
                              std::span<const Rule> otherwise) {
    std::map<Group, Bands> groups;
    for (const auto& winner : winners) {
        const RankCounts counts(winner.clusters);
        groups[{winner.collective, counts.clusters, counts.per_host}][winner.clusters.ranks()]
              [winner.size_bytes] = winner.choice;
    }
    std::vector<Rule> rules;
    for (const auto& [group, bands] : groups)
        add_group(rules, group, bands);
    for (auto rule : otherwise) {
        const auto group = groups.find({rule.collective, rule.clusters.least, rule.per_host.least});
        if (group != groups.end() && rule.clusters.least == rule.clusters.most) {
            const auto beyond = static_cast<std::uint64_t>(group->second.rbegin()->first) + 1;
            rule.ranks.least = std::max(rule.ranks.least, beyond);
        }
        if (rule.ranks.least <= rule.ranks.most)
            rules.push_back(rule);
    }
    return rules;
}

} // namespace alltold
