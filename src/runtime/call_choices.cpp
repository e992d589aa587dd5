// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/call_choices.hpp"

namespace alltold {
namespace {

// Beyond them all are found again: enough for the call shapes of a program, and bounded.
constexpr std::size_t most_kept = 256;

} // namespace

CallChoices::CallChoices(int ranks) : clusters_({ranks}) {
    for (const auto collective : all_collectives)
        chosen_[static_cast<std::size_t>(collective)] = {usual_choice(collective), false, false,
                                                         true};
}

void CallChoices::set(Collective collective, const Choice& choice, bool open) {
    chosen_[static_cast<std::size_t>(collective)] = {choice, open};
}

void CallChoices::set_clusters(Clusters clusters) {
    clusters_ = std::move(clusters);
    make_tables();
    forget();
}

void CallChoices::set_network(Result<std::shared_ptr<const Network>> network) {
    network_ = std::move(network);
    forget();
}

Status CallChoices::choose(const Choice& choice, bool open) {
    if (open && !network_)
        return network_.error();
    const auto collective = choice.algorithm->collective;
    auto complete = choice;
    if (open) { // whatever the size and the network
        ALLTOLD_TRY_INTO(complete, resolve({collective, clusters_}, nullptr, {.choice = choice}));
    } else {
        alltold::set_clusters(complete.parameters, *choice.algorithm, clusters_);
    }
    ALLTOLD_TRY_DONE(
        accepts(*choice.algorithm, collective, clusters_.ranks(), -1, complete.parameters));
    set(collective, choice, open);
    if (choice.algorithm->vectors)
        set(Collective::alltoallv, choice, open);
    forget();
    return Done{};
}

void CallChoices::choose_library() {
    for (const auto collective : all_collectives)
        set(collective, Choice{}, false);
    forget();
}

Status CallChoices::choose_by_rules(std::shared_ptr<const RuleSources> rules) {
    if (!network_)
        return network_.error();
    rules_ = std::move(rules);
    alltoallv_by_alltoall_ = false;
    for (auto& chosen : chosen_) {
        chosen.by_rules = true;
        chosen.by_default = false;
    }
    make_tables();
    forget();
    return Done{};
}

void CallChoices::make_tables() {
    if (!rules_)
        return;
    const RankCounts counts(clusters_);
    for (const auto collective : all_collectives)
        chosen_[static_cast<std::size_t>(collective)].table =
            ChoiceTable(*rules_, collective, counts);
    if (alltoallv_by_alltoall_)
        make_alltoallv_table();
}

void CallChoices::make_alltoallv_table() {
    const auto& alltoall = entry_of(Collective::alltoall);
    if (first_rule(*rules_, Collective::alltoallv, 0, clusters_))
        return;
    if (const auto* choice = alltoall.table.largest_where(
            [](const Choice& rule) { return rule.algorithm && rule.algorithm->vectors; }))
        chosen_[static_cast<std::size_t>(Collective::alltoallv)].table =
            ChoiceTable({Candidate{}, Candidate{*choice}});
}

void CallChoices::use_alltoall_rules_for_alltoallv() {
    if (!rules_)
        return;
    alltoallv_by_alltoall_ = true;
    forget();
    make_alltoallv_table();
}

void CallChoices::forget() {
    complete_.clear();
    simulations_ = SimulationCache();
}

Result<Choice> CallChoices::complete_choice(Collective collective, std::uint64_t size_bytes,
                                            int root, const Choice* picked) {
    const auto& entry = entry_of(collective);
    if (!entry.by_rules && !entry.open) {
        auto choice = entry.choice;
        if (choice.algorithm)
            alltold::set_clusters(choice.parameters, *choice.algorithm, clusters_);
        return choice;
    }
    if (!network_)
        return network_.error();
    if (!picked)
        picked = &choice_of(collective, size_bytes);
    const CallKey key{collective, size_bytes, root, picked};
    if (const auto known = complete_.find(key); known != complete_.end())
        return known->second;
    ALLTOLD_TRY(choice, resolve({collective, clusters_, size_bytes, root}, network_->get(),
                                {.choice = *picked, .simulations = &simulations_}));
    if (complete_.size() >= most_kept)
        forget();
    complete_.emplace(key, *choice);
    return choice;
}

} // namespace alltold
