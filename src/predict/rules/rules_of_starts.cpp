// SPDX-License-Identifier: BSD-3-Clause
// A grid of winners for each start, without what other rules cover.
#include "predict/rules/rules_of_starts.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "network/corrections/correction.hpp"
#include "predict/choice/safe_choice.hpp"
#include "predict/rules/rules_of_grid.hpp"
#include "predict/rules/winner_grid.hpp"

namespace alltold {
namespace {

/// Cuts what lies in `taken` out of a span: what is left below it and above.
std::vector<Span> around(const Span& all, const Span& taken) {
    std::vector<Span> left;
    if (all.least < taken.least)
        left.push_back({all.least, taken.least - 1});
    if (all.most > taken.most)
        left.push_back({taken.most + 1, all.most});
    return left;
}

/// The rule without the calls of `other`: fewer ranks, more ranks, and other sizes between.
std::vector<Rule> outside(const Rule& rule, const Rule& other) {
    std::vector<Rule> left;
    for (const auto& ranks : around(rule.ranks, other.ranks)) {
        left.push_back(rule);
        left.back().ranks = ranks;
    }
    const Span both{std::max(rule.ranks.least, other.ranks.least),
                    std::min(rule.ranks.most, other.ranks.most)};
    for (const auto& sizes : around(rule.size_bytes, other.size_bytes)) {
        left.push_back(rule);
        left.back().ranks = both;
        left.back().size_bytes = sizes;
    }
    return left;
}

/// What is left of the rule where `rules` run one of ours.
std::vector<Rule> outside_ours(const Rule& rule, std::span<const Rule> rules) {
    std::vector<Rule> left{rule};
    for (const auto& other : rules) {
        if (!other.choice.algorithm)
            continue;
        std::vector<Rule> next;
        for (const auto& part : left)
            if (other.overlaps(part))
                std::ranges::move(outside(part, other), std::back_inserter(next));
            else
                next.push_back(part);
        left = std::move(next);
    }
    return left;
}

bool is_sliver(const Rule& rule) {
    return static_cast<double>(rule.size_bytes.most) <
           least_width * static_cast<double>(rule.size_bytes.least);
}

} // namespace

std::vector<Rule> rules_of_starts(const Network& network, const TableRequest& request,
                                  std::span<const Clusters> shapes, std::span<const Rule> rules,
                                  SimulationCache& simulations) {
    constexpr auto collective = Collective::alltoall;
    const bool wanted =
        request.collectives.empty() || std::ranges::count(request.collectives, collective) > 0;
    if (!request.start_mode || !wanted)
        return {};
    auto alone = request;
    alone.one_start = true;
    alone.most_ranks = std::min(request.most_ranks, request.clusters.ranks());
    const auto second = second_start(*request.start_mode);
    const auto after_second = network_after(network, second);
    std::vector<std::pair<const Clusters*, StartMode>> grids;
    const auto gets_rules = [&](const Clusters& shape) {
        return (shape.count() == 1 || shape.count() == request.clusters.count()) &&
               from_second_start(network, collective, shape);
    };
    for (const auto& shape : shapes)
        if (gets_rules(shape))
            for (const auto start : {*request.start_mode, second})
                grids.emplace_back(&shape, start);
    const auto tables = in_parallel(grids.size(), [&](std::size_t i) {
        const auto& [shape, start] = grids[i];
        const auto& from = start == second ? after_second : network;
        return rules_of_grid(alone, WinnerGrid(from, alone, *shape, collective, simulations));
    });
    std::vector<Rule> made;
    for (std::size_t i = 0; i < tables.size(); ++i)
        for (const auto& rule : tables[i]) {
            if (!rule.choice.algorithm)
                continue;
            for (auto& part : outside_ours(rule, rules))
                if (!is_sliver(part)) {
                    part.start = grids[i].second;
                    made.push_back(std::move(part));
                }
        }
    return made;
}

} // namespace alltold
