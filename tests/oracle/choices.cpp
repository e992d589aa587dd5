// SPDX-License-Identifier: BSD-3-Clause
// The ways in which the oracle runs an algorithm, read from the registry.
#include "choices.hpp"

#include "schedule/algorithms/algorithm.hpp"

namespace oracle {

using alltold::Algorithm;
using Use = Algorithm::Use;

namespace {

/// Whether it runs only where a host has several ranks.
bool needs_hosts(const Algorithm& algorithm) {
    return algorithm.hosts == Use::must;
}

Choice choice_of(const Algorithm& algorithm, std::string_view collective, Use least) {
    const auto given = [&](Use use) { return use >= least; };
    Choice choice{std::string(algorithm.name), std::string(collective), given(algorithm.clusters)};
    if (given(algorithm.segment))
        choice.text += " segment=1000";
    if (given(algorithm.window))
        choice.text += " window=2";
    if (given(algorithm.inter_cluster_window))
        choice.text += " inter_cluster_window=3";
    choice.on_hosts = choice.needed = needs_hosts(algorithm);
    choice.reduces = alltold::traits_of(algorithm.collective).reduces;
    return choice;
}

} // namespace

std::vector<Choice> choices_of(std::string_view name) {
    const auto found = alltold::find_algorithm(name);
    if (!found)
        return {};
    const auto& algorithm = **found;
    std::vector<std::string_view> collectives{alltold::name_of(algorithm.collective)};
    if (algorithm.vectors)
        collectives.push_back(alltold::name_of(alltold::Collective::alltoallv));
    std::vector<Choice> choices;
    for (const auto collective : collectives) {
        const auto full = choice_of(algorithm, collective, Use::may);
        const auto bare = choice_of(algorithm, collective, Use::must);
        choices.push_back(full);
        if (bare.text != full.text || bare.clustered != full.clustered)
            choices.push_back(bare);
        if (!full.on_hosts) {
            choices.push_back(full);
            choices.back().on_hosts = true;
        }
        if (full.reduces && algorithm.takes_clusters()) {
            choices.push_back(full);
            choices.back().neighbours = true;
            choices.back().on_hosts = algorithm.hosts != Use::no;
        }
    }
    return choices;
}

} // namespace oracle
