// SPDX-License-Identifier: BSD-3-Clause
#include "predict/choice/rank.hpp"

#include <tuple>

#include <fmt/format.h>

#include "core/parallel.hpp"
#include "core/units.hpp"
#include "predict/bounds/plausibility.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/library/library_ranking.hpp"
#include "predict/parameters/parameter_search.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/predict_algorithm.hpp"
#include "predict/timing/fewer_segments.hpp"

namespace alltold {
namespace {

/// The largest number of ranks that send to one rank at once (the root of a gather, else any).
int fan_in_of(const Algorithm& algorithm, const Specification& specification,
              const Clusters& clusters, Parameters parameters) {
    set_clusters(parameters, algorithm, clusters);
    using enum Collective;
    // The root of a broadcast or scatter and the first rank of a scan receive nothing.
    constexpr std::array from_first{bcast, scatter, scan, exscan};
    const int rank = std::ranges::count(from_first, specification.collective()) > 0
                         ? specification.ranks() - 1
                         : 0;
    // The first receives from each sender tell, and a window lets no more come.
    const auto window =
        static_cast<std::uint64_t>(std::max(parameters.window, parameters.inter_cluster_window));
    const auto fewer = fewer_segments(specification, parameters.segment_bytes,
                                      std::max<std::uint64_t>(most_built, window));
    const auto schedule = schedule_of(algorithm, fewer.specification, parameters, rank);
    std::set<int> senders;
    for (int step = 0; step < schedule.size(); ++step)
        if (schedule[step].kind == Kind::receive && schedule.after(step).empty())
            senders.insert(schedule[step].peer);
    const auto all = std::max(1, static_cast<int>(senders.size()));
    return parameters.window > 0 ? std::min(all, parameters.window) : all;
}

/// What was measured of this very call, if anything.
void add_measured(CallTime& ranked, const Network& network, const Specification& specification,
                  const Clusters& clusters) {
    const auto* call =
        measured_call(network, specification.collective(), ranked.choice.algorithm,
                      ranked.choice.parameters, clusters, specification.size_bytes());
    if (!call)
        return;
    ranked.measured_s = call->interval_s();
    if (call->lower_quartile_s > 0)
        ranked.lower_quartile_s = call->lower_quartile_s;
}

/// The prediction with complete parameters.
Result<CallTime> ours(const Network& network, const Choice& choice,
                      const Specification& specification, const Clusters& clusters,
                      SimulationCache* simulations, bool rough) {
    const auto& algorithm = *choice.algorithm;
    ALLTOLD_TRY(model, preferred_model(network, clusters, algorithm.name,
                                       static_cast<double>(specification.size_bytes())));
    ALLTOLD_TRY(
        predicted,
        predict_as_given(network, algorithm, specification, clusters, choice.parameters, **model,
                         {.most_messages = rough ? most_rough_messages : most_estimated_messages,
                          .estimate = true,
                          .value_only = rough,
                          .simulations = simulations}));
    predicted->fan_in = fan_in_of(algorithm, specification, clusters, predicted->choice.parameters);
    add_measured(*predicted, network, specification, clusters);
    return predicted;
}

/// The prediction with the parameters that `resolve` finds.
Result<CallTime> resolved(const Network& network, const Algorithm& algorithm,
                          const Specification& specification, const Clusters& clusters,
                          SimulationCache* simulations, bool rough) {
    ALLTOLD_TRY_DONE(check_crossover(algorithm, clusters));
    const auto choice =
        resolve({specification.collective(), clusters, specification.size_bytes()}, &network,
                {.choice = Choice{&algorithm}, .rough = rough, .simulations = simulations});
    return choice ? ours(network, *choice, specification, clusters, simulations, rough)
                  : Result<CallTime>(choice.error());
}

/// In parallel without a cache of the caller: no two algorithms share a simulation.
std::vector<std::optional<Result<CallTime>>>
resolved_all(const Network& network, const std::vector<const Algorithm*>& algorithms,
             const Specification& specification, const Clusters& clusters,
             SimulationCache* simulations, bool rough) {
    const auto one = [&](std::size_t i) {
        SimulationCache of_this_call;
        return std::optional(resolved(network, *algorithms[i], specification, clusters,
                                      simulations ? simulations : &of_this_call, rough));
    };
    if (!simulations)
        return in_parallel(algorithms.size(), one);
    std::vector<std::optional<Result<CallTime>>> all;
    for (std::size_t i = 0; i < algorithms.size(); ++i)
        all.push_back(one(i));
    return all;
}

/// The library's own choice as its corrected model predicts it; its other algorithms, and calls
/// that no model predicts, as measured here or by their growth.
Result<CallTime> library(const Network& network, const Specification& specification,
                         const Clusters& clusters, const Choice& choice,
                         SimulationCache* simulations) {
    const auto name = text_of(choice);
    const auto collective = specification.collective();
    const bool corrected =
        choice.is_default() && correction_of(network, collective, clusters, true) != nullptr;
    if (!corrected)
        for (const auto& call : network.library)
            if (call.algorithm == name && call.collective == collective &&
                call.clusters == clusters && call.size_bytes == specification.size_bytes()) {
                CallTime measured{.choice = choice, .time_s = call.time_s};
                set_bound(measured, specification, clusters, network);
                measured.model = "measured";
                measured.modelled.known = Known::measured;
                measured.method = "measured here";
                return measured;
            }
    if (corrected || (choice.is_default() && collective == Collective::alltoall &&
                      (network.alltoall || network.congestion))) {
        ALLTOLD_TRY(predicted, predict_library(network, collective, clusters,
                                               specification.size_bytes(), simulations));
        predicted->method = corrected ? "corrected by its measured calls" : predicted->model;
        if (corrected)
            add_measured(*predicted, network, specification, clusters);
        return predicted;
    }
    return grown_time(network, collective, clusters, specification.size_bytes(), choice,
                      simulations);
}

/// Our algorithms with the parameters that were measured at this call.
std::vector<Choice> measured_choices(const Network& network, const Specification& specification,
                                     const Clusters& clusters) {
    std::vector<Choice> choices;
    if (const auto* correction = correction_of(network, specification.collective(), clusters))
        for (const auto& call : correction->calls())
            if (call.clusters == clusters && call.size_bytes == specification.size_bytes())
                choices.push_back({call.algorithm, call.parameters});
    return choices;
}

/// Null if no candidate's choice does.
template <typename Fits>
const CallTime* first_that(const Ranking& ranking, Fits fits) {
    const auto found = std::ranges::find_if(ranking.candidates, fits, &CallTime::choice);
    return found == ranking.candidates.end() ? nullptr : &*found;
}

} // namespace

std::set<std::string> library_names(const Network& network, Collective collective) {
    std::set<std::string> names{"mpi"};
    for (const auto& one : network.library)
        if (one.collective == collective)
            names.insert(one.algorithm);
    return names;
}

void put_in_order(std::vector<CallTime>& candidates) {
    std::ranges::stable_sort(candidates, {},
                             [](const CallTime& candidate) { return candidate.time_s.value; });
    const auto care = [](const CallTime& candidate) {
        const auto& [segment_bytes, window, inter_cluster_window, clusters] =
            candidate.choice.parameters;
        return std::tuple(candidate.uncharged_loss_bytes() > 0, candidate.fan_in,
                          (segment_bytes > 0) + (window > 0) + (inter_cluster_window > 0));
    };
    auto first = candidates.begin();
    for (auto other = candidates.begin(); other != candidates.end(); ++other)
        if (other->time_s.value <= tied * candidates.front().time_s.value &&
            other->choice.algorithm && care(*other) < care(*first))
            first = other;
    std::rotate(candidates.begin(), first, first == candidates.end() ? first : first + 1);
}

void leave_out_unseen_growth(Ranking& ranking) {
    const auto* own = library_choice(ranking);
    if (own == nullptr || own->unseen_growth)
        return;
    std::erase_if(ranking.candidates, [&](const CallTime& candidate) {
        if (!candidate.unseen_growth)
            return false;
        ranking.unranked.push_back({text_of(candidate.choice),
                                    "was measured on one other number of ranks only, so that "
                                    "its growth with them is not known"});
        return true;
    });
}

const CallTime* library_choice(const Ranking& ranking) {
    return first_that(ranking, [](const Choice& choice) { return choice.is_default(); });
}

Result<CallTime> evaluate(const Network& network, Collective collective, const Clusters& clusters,
                          std::uint64_t size_bytes, const Choice& choice,
                          SimulationCache* simulations, bool rough) {
    const auto specification = Specification::of(collective, clusters.ranks(), 0, size_bytes);
    return choice.algorithm ? ours(network, choice, specification, clusters, simulations, rough)
                            : library(network, specification, clusters, choice, simulations);
}

std::string call_text(const Clusters& clusters, std::uint64_t size_bytes) {
    return fmt::format("n = {}, m = {}", clusters.text(),
                       format_size(static_cast<double>(size_bytes)));
}

Result<Ranking> rank(const Network& network, Collective collective, const Clusters& clusters,
                     std::uint64_t size_bytes, SimulationCache* simulations, bool rough) {
    Ranking ranking{collective, clusters, size_bytes, {}, {}};
    std::optional<Error> error;
    const auto add = [&](std::string_view name, Result<CallTime> candidate) {
        if (candidate) {
            ranking.candidates.push_back(std::move(*candidate));
            return;
        }
        ranking.unranked.push_back({std::string(name), candidate.error().message});
        if (!error)
            error = candidate.error();
    };
    const auto specification = Specification::of(collective, clusters.ranks(), 0, size_bytes);
    std::vector<const Algorithm*> algorithms;
    for (const auto* algorithm : registry())
        if (algorithm->collective == collective && algorithm->suits_hosts(clusters))
            algorithms.push_back(algorithm);
    const auto candidates =
        resolved_all(network, algorithms, specification, clusters, simulations, rough);
    for (std::size_t i = 0; i < algorithms.size(); ++i)
        add(algorithms[i]->name, *candidates[i]);
    for (const auto& choice : measured_choices(network, specification, clusters))
        if (!first_that(ranking, [&](const Choice& known) { return known == choice; }))
            add(choice.algorithm->name,
                ours(network, choice, specification, clusters, simulations, rough));
    for (const auto& name : library_names(network, collective))
        add(name, library(network, specification, clusters, measured_choice(name), simulations));
    if (ranking.candidates.empty())
        return *error;
    leave_out_unseen_growth(ranking);
    put_in_order(ranking.candidates);
    return ranking;
}

} // namespace alltold
