// SPDX-License-Identifier: BSD-3-Clause
// A grid of winners for each number of clusters, and for spreads of ranks over them.
#include "predict/rules/decision_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "predict/parameters/parameter_search.hpp"
#include "predict/parameters/segment_search.hpp"
#include "predict/rules/rules_of_grid.hpp"
#include "predict/rules/rules_of_starts.hpp"
#include "predict/rules/winner_grid.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "topology/spread.hpp"
#include "topology/subset.hpp"

namespace alltold {
namespace {

/// Of more clusters only all of them get rules: each number of clusters takes a table.
constexpr int most_subsets_of_clusters = 8;

/// Of more spreads none gets rules of its own.
constexpr std::size_t most_spreads = 100;

/// Of collectives that studies time only if asked to, those of which the library's own were timed:
/// rules of the others would all say "mpi".
bool gets_rules(const Network& network, Collective collective) {
    return std::ranges::count(studied_collectives, collective) > 0 ||
           std::ranges::count(network.library, collective, &LibraryTime::collective) > 0 ||
           std::ranges::any_of(network.corrections, [&](const Correction& correction) {
               return correction.of().of_library && correction.of().probe.collective == collective;
           });
}

/// What the papers treat: whether all-to-alls overflow a queue depends on how many ranks are on
/// either side of it, and how often a tree crosses the backbone on where they are.
bool gets_rules_by_spread(const TableRequest& request, Collective collective) {
    const bool by_safety = !request.ours_only && !request.library;
    return by_safety && request.clusters.one_rank_per_host() &&
           std::ranges::count(studied_collectives, collective) > 0;
}

/// What may run on one spread: of our algorithms, what the rules for all spreads run, and all that
/// need no segment size, which takes long to find.
std::vector<Choice> candidates_on(const Clusters& hosts, Collective collective,
                                  const std::vector<Rule>& rules) {
    std::vector<Choice> candidates;
    const auto add = [&](const Choice& choice) {
        if (choice.algorithm && std::ranges::find(candidates, choice) == candidates.end())
            candidates.push_back(choice);
    };
    for (const auto& rule : rules)
        add(rule.choice);
    for (const auto* algorithm : registry())
        if (algorithm->collective == collective && algorithm->segment == Algorithm::Use::no &&
            algorithm->suits_hosts(hosts))
            add({algorithm});
    return candidates;
}

} // namespace

Choice rounded(const Network& network, Choice choice) {
    if (!choice.algorithm)
        return choice;
    auto& parameters = choice.parameters;
    if (auto& segment_bytes = parameters.segment_bytes; segment_bytes > 0) {
        const auto payload_bytes = packet_payload_bytes(network);
        const auto packets = static_cast<double>(in_packets(segment_bytes, payload_bytes)) /
                             static_cast<double>(payload_bytes);
        segment_bytes = packets < 1 ? in_packets(1, payload_bytes)
                                    : payload_bytes << std::lround(std::log2(packets));
    }
    if (takes_crossover_window(*choice.algorithm))
        return choice; // whose window is the size of a cluster
    for (auto* window : {&parameters.window, &parameters.inter_cluster_window})
        *window = static_cast<int>(std::bit_floor(static_cast<unsigned>(*window)));
    return choice;
}

std::vector<Rule> decision_table(const Network& network, const TableRequest& request) {
    std::vector<Clusters> shapes{joined(request.clusters)};
    for (int count = 2; count <= request.clusters.count(); ++count)
        if (count <= most_subsets_of_clusters || count == request.clusters.count())
            shapes.push_back(largest_clusters(request.clusters, count));
    const auto wanted = [&](auto is_followed) {
        return request.calls.empty() || std::ranges::any_of(request.calls, is_followed);
    };
    std::erase_if(shapes, [&](const Clusters& shape) {
        return !wanted([&](const Clusters& call) { return call.count() == shape.count(); });
    });
    auto collectives = request.collectives;
    if (collectives.empty())
        std::ranges::copy_if(
            uniform_collectives, std::back_inserter(collectives),
            [&](Collective collective) { return gets_rules(network, collective); });
    const auto collective_of = [&](std::size_t table) {
        return collectives[table / shapes.size()];
    };
    const auto shape_of = [&](std::size_t table) -> const Clusters& {
        return shapes[table % shapes.size()];
    };
    // The longest first, so that none is left to one processor at the end.
    std::vector<std::size_t> order(collectives.size() * shapes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_partition(
        order, [&](std::size_t t) { return collective_of(t) == Collective::alltoall; });
    SimulationCache simulations;
    auto made = in_parallel(order.size(), [&](std::size_t i) {
        const auto t = order[i];
        return rules_of_grid(
            request, WinnerGrid(network, request, shape_of(t), collective_of(t), simulations));
    });
    std::vector<std::vector<Rule>> tables(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        tables[order[i]] = std::move(made[i]);
    struct OneSpread {
        Clusters spread;
        std::size_t table; ///< that of the rules for all spreads
        std::vector<Choice> candidates;
    };
    std::vector<OneSpread> apart;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const auto collective = collective_of(t);
        if (!gets_rules_by_spread(request, collective) || shape_of(t).count() == 1)
            continue;
        std::vector<Choice> candidates;
        if (collective != Collective::alltoall) // of which all algorithms may run
            candidates = candidates_on(shape_of(t), collective, tables[t]);
        for (auto& spread : all_spreads(shape_of(t), most_spreads))
            if (wanted([&](const Clusters& call) { return call == spread; }))
                apart.push_back({std::move(spread), t, candidates});
    }
    const auto of_spreads = in_parallel(apart.size(), [&](std::size_t i) {
        const auto& [spread, table, candidates] = apart[i];
        const auto collective = collective_of(table);
        return rules_of_grid(request, WinnerGrid(network, request, spread, collective, simulations,
                                                 ChoiceTable(std::span(tables).subspan(table, 1),
                                                             collective, spread),
                                                 candidates));
    });
    std::vector<Rule> rules;
    for (const auto* all : {&std::as_const(tables), &of_spreads})
        for (const auto& table : *all)
            rules.insert(rules.end(), table.begin(), table.end());
    const auto of_starts = rules_of_starts(network, request, shapes, rules, simulations);
    rules.insert(rules.end(), of_starts.begin(), of_starts.end());
    return rules;
}

} // namespace alltold
