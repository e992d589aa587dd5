// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of a communicator: the choice for each collective, and its parameters by call.
#pragma once

#include <tuple>

#include "predict/parameters/resolve.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "runtime/environment.hpp"

namespace alltold {

/// Independent of MPI: the same on every rank for the same arguments.
class CallChoices {
  public:
    /// The usual choice of every collective, on `ranks` ranks in one cluster.
    explicit CallChoices(int ranks);

    void set_clusters(Clusters clusters);
    const Clusters& clusters() const { return clusters_; }
    /// The network for which open parameters are found; null: by byte limits. An error is returned
    /// by all calls whose parameters must be found, and when such a choice is made.
    void set_network(Result<std::shared_ptr<const Network>> network);

    /// From now on runs `choice`, one of ours, for the collectives that it can carry out. With
    /// `open`, `resolve` fills in open parameters at each call; else a window of 0 means no limit.
    /// Fails, changing nothing, when it cannot run on these ranks, or `open` and without a network.
    Status choose(const Choice& choice, bool open);
    void choose_library();
    /// Parameters that the rules leave open are found at each call. Fails, changing nothing,
    /// without a network.
    Status choose_by_rules(std::shared_ptr<const RuleSources> rules);
    /// All-to-all-v, where the rules chosen have none for it, gets a second candidate beside the
    /// library's own: what they choose for the all-to-all of the largest blocks for which that is
    /// one of ours that has an all-to-all-v. No measurement speaks of its sizes: for callers that
    /// compare it.
    void use_alltoall_rules_for_alltoallv();

    /// The choice for blocks of `size_bytes` (0 for an all-to-all-v), with the parameters given.
    const Choice& choice_of(Collective collective, std::uint64_t size_bytes) const {
        const auto& entry = entry_of(collective);
        return entry.by_rules ? entry.table.at(size_bytes) : entry.choice;
    }
    /// All candidates of the rules chosen; choice_of() first. They live as long as the rules and
    /// the clusters stay the same.
    std::span<const Candidate> candidates_of(Collective collective,
                                             std::uint64_t size_bytes) const {
        return entry_of(collective).table.candidates_at(size_bytes);
    }
    /// Whether the caller chose what runs, so that it is not the default.
    bool chosen(Collective collective) const { return !entry_of(collective).by_default; }
    /// As choice_of, or the candidate `picked`, with all parameters. Results are kept for calls
    /// that repeat. Fails as `resolve` does.
    Result<Choice> complete_choice(Collective collective, std::uint64_t size_bytes, int root,
                                   const Choice* picked = nullptr);
    /// Whether the library's own may be the choice for some size.
    bool may_run_library(Collective collective) const {
        const auto& entry = entry_of(collective);
        return entry.by_rules || !entry.choice.algorithm;
    }
    /// Whether one of ours may be the choice, or is a candidate of the rules, for some size.
    bool may_run_ours(Collective collective) const {
        const auto& entry = entry_of(collective);
        return entry.by_rules ? entry.table.names_ours() : entry.choice.algorithm != nullptr;
    }

  private:
    /// The caller's choice for one collective.
    struct Chosen {
        Choice choice = {};
        bool open = false;
        bool by_rules = false;
        bool by_default = false;
        ChoiceTable table = {}; ///< what the rules say here
    };
    using CallKey = std::tuple<Collective, std::uint64_t, int, const Choice*>;

    const Chosen& entry_of(Collective collective) const {
        return chosen_[static_cast<std::size_t>(collective)];
    }
    void set(Collective collective, const Choice& choice, bool open);
    void make_tables();
    void make_alltoallv_table();
    void forget();

    std::array<Chosen, all_collectives.size()> chosen_; ///< by Collective
    std::shared_ptr<const RuleSources> rules_;
    bool alltoallv_by_alltoall_ = false; ///< use_alltoall_rules_for_alltoallv, of these rules
    Result<std::shared_ptr<const Network>> network_ = std::shared_ptr<const Network>();
    Clusters clusters_;
    std::map<CallKey, Choice> complete_;
    SimulationCache simulations_;
};

} // namespace alltold
