// SPDX-License-Identifier: BSD-3-Clause
// Completes choices at each call and evaluates them from both starts.
#include "predict/choice/call_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "predict/library/library_prediction.hpp"
#include "predict/library/library_ranking.hpp"
#include "predict/parameters/resolve.hpp"

namespace alltold {
namespace {

constexpr Estimate unknown_time{INFINITY, INFINITY, INFINITY};

/// A segment is at most the message; the rule states it nevertheless.
Choice cut_to(std::uint64_t size_bytes, Choice choice) {
    auto& segment_bytes = choice.parameters.segment_bytes;
    segment_bytes = std::min(segment_bytes, size_bytes);
    return choice;
}

} // namespace

CallTimes::CallTimes(const Network& network, const TableRequest& request, const Clusters& hosts,
                     Collective collective, SimulationCache& simulations)
    : network_(network), request_(request), collective_(collective),
      second_(request.one_start ? std::nullopt : from_second_start(network, collective, hosts)),
      simulations_(simulations) {}

StartTimes CallTimes::of(const Choice& choice, const Clusters& clusters,
                         std::uint64_t size_bytes) const {
    const auto complete = resolved(choice, clusters, size_bytes);
    if (!complete)
        return {{unknown_time}};
    const auto usual = evaluated(network_, *complete, clusters, size_bytes);
    if (!usual)
        return {{unknown_time}};
    SecondTime second;
    if (second_)
        second = [&](const Choice& same) -> std::optional<KnownTime> {
            const auto time = evaluated(*second_, same, clusters, size_bytes);
            return time ? known_time(*time) : KnownTime{unknown_time};
        };
    auto times = times_of(*usual, second);
    if (choice.algorithm && !times.measured && exceeds_windows(choice, clusters, size_bytes)) {
        times.loses_packets = times.may_lose = true;
        times.overflow_bytes = INFINITY;
    }
    return times;
}

StartTimes CallTimes::of(const Choice& choice, const std::vector<Clusters>& spreads,
                         std::uint64_t size_bytes) const {
    const auto cut = cut_to(size_bytes, choice);
    auto times = of(cut, spreads.front(), size_bytes);
    times.elsewhere = elsewhere(cut, spreads, size_bytes);
    return times;
}

std::vector<StartTimes> CallTimes::elsewhere(const Choice& choice,
                                             const std::vector<Clusters>& spreads,
                                             std::uint64_t size_bytes) const {
    std::vector<StartTimes> times;
    for (std::size_t s = 1; s < spreads.size(); ++s)
        times.push_back(of(choice, spreads[s], size_bytes));
    return times;
}

/// `resolve` completes a rule at each call.
Result<Choice> CallTimes::resolved(const Choice& choice, const Clusters& clusters,
                                   std::uint64_t size_bytes) const {
    if (request_.library)
        return choice;
    return resolve({collective_, clusters, size_bytes}, &network_,
                   {.choice = choice, .simulations = &simulations_});
}

Choice CallTimes::stated(const Choice& choice, const Clusters& clusters,
                         std::uint64_t size_bytes) const {
    if (!choice.algorithm)
        return choice;
    const auto times = of(choice, clusters, size_bytes);
    auto complete = searched_only(choice);
    if (const auto again = resolved(complete, clusters, size_bytes); !again || *again != choice) {
        if (times.measured)
            return choice;
        complete = choice;
    }
    const auto few = rounded(network_, complete);
    if (few == complete)
        return few;
    return of(few, clusters, size_bytes).over(times) <= worth_gaining ? few : complete;
}

/// Whether it lets more messages come at once than buffers are known to hold, as windows may that
/// were chosen before, or for another size. Of windows that simulations found, simulations tell.
bool CallTimes::exceeds_windows(const Choice& choice, const Clusters& clusters,
                                std::uint64_t size_bytes) const {
    if (choice.algorithm->window == Algorithm::Use::no || searches_windows(choice))
        return false;
    const auto held = resolved(Choice{choice.algorithm}, clusters, size_bytes);
    const auto exceeds = [&](int Parameters::*window) {
        return held && held->parameters.*window > 0 &&
               choice.parameters.*window > held->parameters.*window;
    };
    return exceeds(&Parameters::window) || exceeds(&Parameters::inter_cluster_window);
}

Result<RankedAlgorithm> CallTimes::evaluated(const Network& network, const Choice& choice,
                                             const Clusters& clusters,
                                             std::uint64_t size_bytes) const {
    if (!request_.library)
        return evaluate(network, collective_, clusters, size_bytes, choice, &simulations_);
    auto time = evaluate_library(network, *request_.library, collective_, clusters, size_bytes,
                                 choice, &simulations_);
    if (time && time->predicted.uncharged_loss_bytes > 0)
        return refused("overflows buffers at a cost that is not known");
    return time;
}

Result<Ranking> CallTimes::ranking(const Clusters& clusters, std::uint64_t size_bytes) const {
    return request_.library ? rank_library(network_, *request_.library, collective_, clusters,
                                           size_bytes, &simulations_)
                            : rank(network_, collective_, clusters, size_bytes, &simulations_);
}

Ranking CallTimes::ranking(std::vector<Choice> choices, const Clusters& clusters,
                           std::uint64_t size_bytes) const {
    Ranking ranking{collective_, clusters, size_bytes, {}, {}};
    choices.emplace_back();
    for (const auto& choice : choices)
        if (const auto complete = resolved(cut_to(size_bytes, choice), clusters, size_bytes))
            if (auto ranked = evaluated(network_, *complete, clusters, size_bytes)) {
                ranked->choice = choice;
                ranking.candidates.push_back(std::move(*ranked));
            }
    put_in_order(ranking.candidates);
    return ranking;
}

SecondTime CallTimes::second_times(const Clusters& clusters, std::uint64_t size_bytes) const {
    if (!second_ || !library_known(*second_, collective_, clusters, size_bytes))
        return {};
    return [this, clusters, size_bytes](const Choice& choice) -> std::optional<KnownTime> {
        const auto time = evaluated(*second_, choice, clusters, size_bytes);
        return time ? std::optional(known_time(*time)) : std::nullopt;
    };
}

} // namespace alltold
