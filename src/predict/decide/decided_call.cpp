// SPDX-License-Identifier: BSD-3-Clause
// Candidates from rankings, times from all starts and spreads, odds from draws.
#include "predict/decide/decided_call.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/bounds/bounds.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/library/library_ranking.hpp"
#include "predict/parameters/parameter_search.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/parameters/segment_search.hpp"
#include "predict/timing/timeout_chance.hpp"

namespace alltold {
namespace {

/// Choices that compete on all spreads and from all starts, those with the least expected times:
/// each takes a simulation for each of them.
constexpr std::size_t most_competing = 4;
/// The best in loops are few: what carries each byte once over every port.
constexpr std::size_t most_competing_in_loops = 2;

/// A segment is at most the message; a rule states it nevertheless.
Choice cut_to(std::uint64_t size_bytes, Choice choice) {
    auto& segment_bytes = choice.parameters.segment_bytes;
    segment_bytes = std::min(segment_bytes, size_bytes);
    return choice;
}

/// The choice with few distinct values, so that neighbouring sizes share one: 1, 2, 4, ... units
/// per segment and windows of 1, 2, 4, ..., rounded down since buffers limit them.
Choice rounded(const Network& network, std::uint64_t size_bytes, Choice choice) {
    auto& parameters = choice.parameters;
    if (auto& segment_bytes = parameters.segment_bytes; segment_bytes > 0)
        segment_bytes = in_doubled_units(segment_bytes, segment_unit_bytes(network, size_bytes));
    if (takes_crossover_window(*choice.algorithm))
        return choice; // whose window is the size of a cluster
    for (auto* window : {&parameters.window, &parameters.inter_cluster_window})
        *window = static_cast<int>(std::bit_floor(static_cast<unsigned>(*window)));
    return choice;
}

double busiest_port_bytes(const Choice& choice, const Clusters& clusters,
                          std::uint64_t size_bytes) {
    auto parameters = choice.parameters;
    set_clusters(parameters, *choice.algorithm, clusters);
    const auto specification =
        Specification::of(choice.algorithm->collective, clusters.ranks(), 0, size_bytes);
    return busiest_port_s(*simulate::EventGraph::of(*choice.algorithm, specification, parameters),
                          clusters, 1);
}

std::string percent_text(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string why_text(const DecidedCall& call, const Terms& terms, std::string_view over) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < call.odds.size(); ++i)
        if (std::isfinite(call.odds[i].ratio) &&
            (best == 0 || call.odds[i].ratio < call.odds[best].ratio))
            best = i;
    const auto odds_text = [&](std::size_t i) {
        return fmt::format(
            "{} is expected to take {:.2f} times the library's time{}, with a chance of "
            "{} of losing more than {}",
            text_of(call.choices[i]), call.odds[i].ratio, over,
            percent_text(call.odds[i].chance_of_loss), percent_text(terms.worth));
    };
    if (best == 0)
        return "no other time is known";
    if (call.chosen == best)
        return odds_text(best);
    if (call.chosen != 0)
        return fmt::format("{}; {}, more than the risk of {}", odds_text(call.chosen),
                           odds_text(best), percent_text(terms.risk));
    if (call.odds[best].ratio * (1 + terms.worth) > 1)
        return fmt::format("nothing is expected to gain {}: {}", percent_text(terms.worth),
                           odds_text(best));
    return fmt::format("{}, more than the risk of {}", odds_text(best), percent_text(terms.risk));
}

/// Where both the library's calls and ours were measured from another start than the usual one, on
/// one cluster or on several as `hosts` are; empty where not.
std::optional<StartMode> second_measured(const Network& network, Collective collective,
                                         const Clusters& hosts) {
    for (const auto start_mode : {StartMode::silence, StartMode::barrier}) {
        const CollectiveProbe probe{collective, start_mode};
        if (correction_of(network, probe, hosts, true) &&
            correction_of(network, probe, hosts, false))
            return start_mode;
    }
    return std::nullopt;
}

/// Calls of these overlap in loops, so that one costs less than it takes alone. In a gather or
/// scatter the root's port is as busy in a single call, and in the others each call waits for all.
constexpr std::array overlapping{Collective::bcast, Collective::reduce};

} // namespace

Decider::Decider(const Network& network, StartMode usual, Collective collective,
                 const Clusters& hosts, SimulationCache& simulations, Options options)
    : network_(network), collective_(collective), options_(std::move(options)), starts_{usual},
      simulations_(simulations) {
    const auto add = [&](StartMode start) {
        starts_.push_back(start);
        others_.push_back(network_after(network, start));
    };
    if (const auto second = second_measured(network, collective, hosts))
        add(*second);
    // The library's rules files know no patterns of calls.
    if (usual != StartMode::loop && !options_.library &&
        std::ranges::count(overlapping, collective) > 0)
        add(StartMode::loop);
}

std::optional<CallTime> Decider::time_of(const Network& network, const Choice& choice,
                                         const Clusters& clusters, std::uint64_t size_bytes,
                                         bool rough) const {
    // Simulations of the other starts' networks are those of the usual one's, but for loops.
    auto time = options_.library ? evaluate_library(network, *options_.library, collective_,
                                                    clusters, size_bytes, choice, &simulations_)
                                 : evaluate(network, collective_, clusters, size_bytes, choice,
                                            &simulations_, rough);
    if (!time || time->uncharged_loss_bytes() > 0)
        return std::nullopt;
    return std::move(*time);
}

const Network& Decider::network_with_work(double work_s) const {
    const std::lock_guard lock(working_);
    const auto [place, added] = with_work_.try_emplace(std::ilogb(work_s), others_.back());
    if (added)
        place->second.loop_work_s = work_s;
    return place->second;
}

std::optional<CallTime> Decider::library_time(const Network& network, const Clusters& clusters,
                                              std::uint64_t size_bytes, bool predicted) const {
    if (!predicted) {
        auto time = time_of(network, {}, clusters, size_bytes);
        // An interval by growth widens with the distance from what was measured.
        return time && ((options_.library && time->modelled.known == Known::grown) ||
                        library_known(network, collective_, clusters, size_bytes))
                   ? std::move(time)
                   : std::nullopt;
    }
    auto time = predict_library(network, collective_, clusters, size_bytes, &simulations_);
    return time && time->uncharged_loss_bytes() <= 0 ? std::optional(std::move(*time))
                                                     : std::nullopt;
}

/// With the times of the library's own.
DecidedCall Decider::begun(std::span<const Clusters> spreads, std::uint64_t size_bytes,
                           bool predicted) const {
    DecidedCall call{.size_bytes = size_bytes, .choices = {Choice{}}, .predicted = predicted};
    for (const auto& clusters : spreads)
        for (std::size_t way = 0; way < ways(); ++way) {
            const auto start = starts_[std::min(way, starts_.size() - 1)];
            Setting setting{.timeout_s = timeout_of(network_)};
            bool asked = !options_.start || *options_.start == start;
            if (way == starts_.size()) {
                // Work as long as a call: with much less a loop is as without, and with much more
                // all choices are hidden or late by what they take alone.
                const auto& loop = call.settings.back().times.front();
                asked = loop.has_value();
                if (asked)
                    setting.work_s = std::exp2(std::round(std::log2(loop->time_s.value)));
            }
            setting.times.push_back(
                asked ? library_time(network_of(setting, way), clusters, size_bytes, predicted)
                      : std::nullopt);
            call.settings.push_back(std::move(setting));
        }
    return call;
}

bool Decider::append(DecidedCall& call, std::span<const Clusters> spreads,
                     const Choice& choice) const {
    if (std::ranges::find(call.choices, choice) != call.choices.end())
        return false;
    call.choices.push_back(choice);
    // A range may begin with messages that half packets suit.
    const auto segment_bytes = choice.parameters.segment_bytes;
    const bool cut_short = segment_bytes > 0 && segment_bytes < call.size_bytes &&
                           segment_bytes < segment_unit_bytes(network_, call.size_bytes);
    auto setting = call.settings.begin();
    for (const auto& clusters : spreads) {
        auto complete = Result(cut_to(call.size_bytes, choice));
        if (choice.algorithm)
            complete = resolve(
                {collective_, clusters, call.size_bytes}, &network_,
                {.choice = *complete, .rough = call.predicted, .simulations = &simulations_});
        for (std::size_t way = 0; way < ways(); ++way, ++setting) {
            auto time = complete && setting->times.front()
                            ? time_of(network_of(*setting, way), *complete, clusters,
                                      call.size_bytes, call.predicted)
                            : std::nullopt;
            const bool runs = time && (!cut_short || time->measured_s);
            setting->times.push_back(runs ? std::move(time) : std::nullopt);
        }
    }
    return true;
}

void Decider::settle(DecidedCall& call) const {
    call.odds_in.clear();
    for (const auto& setting : call.settings)
        call.odds_in.push_back(odds_in(setting, options_.terms));
    call.odds = mean_of(call.odds_in, call.choices.size());
    call.chosen = call.predicted ? 0 : decide(call.odds, options_.terms);
    // A choice that was measured at this very call runs unless another is worth changing to.
    std::size_t measured = 0;
    for (std::size_t i = 1; i < call.choices.size() && call.chosen != 0; ++i) {
        const auto& time = call.settings.front().times[i];
        if (time && time->measured_s && call.odds[i].may_run(options_.terms) &&
            call.odds[i].ratio <= (1 + options_.terms.worth) * call.odds[call.chosen].ratio &&
            (measured == 0 || call.odds[i].ratio < call.odds[measured].ratio))
            measured = i;
    }
    if (measured != 0)
        call.chosen = measured;
    call.why = why_text(call, options_.terms,
                        in_loops() && !options_.start ? " over single calls and loops" : "");
}

/// The candidate as a rule states it: without what `resolve` finds at each call from the network,
/// so that the choice fits calls of all sizes and ranks, and with few distinct values; as it was
/// measured, if this call was.
Choice Decider::stated(const CallTime& candidate, const Clusters& clusters,
                       std::uint64_t size_bytes, bool rough) const {
    const auto& choice = candidate.choice;
    if (!choice.algorithm)
        return choice;
    const auto open = searched_only(choice);
    const auto again =
        resolve({collective_, clusters, size_bytes}, &network_,
                {.choice = cut_to(size_bytes, open), .rough = rough, .simulations = &simulations_});
    auto same = again ? *again : Choice{};
    same.parameters.clusters.reset();
    const bool found_again = again && same == choice;
    if (candidate.measured_s)
        return found_again ? open : choice;
    return rounded(network_, size_bytes, found_again ? open : choice);
}

Result<std::vector<CallTime>> Decider::ranked(const Clusters& clusters, std::uint64_t size_bytes,
                                              bool rough) const {
    auto ranking = options_.library
                       ? rank_library(network_, *options_.library, collective_, clusters,
                                      size_bytes, &simulations_)
                       : rank(network_, collective_, clusters, size_bytes, &simulations_, rough);
    if (!ranking)
        return ranking.error();
    auto& candidates = ranking->candidates;
    // Single messages do not tell of ranks that share a host.
    const bool crowded = network_.plausibility.slow && clusters.one_rank_per_host();
    std::erase_if(candidates, [&](const CallTime& candidate) {
        const auto known = candidate.modelled.known;
        return (options_.library ? candidate.choice.is_default()
                                 : candidate.choice.algorithm == nullptr) ||
               (crowded && !candidate.correction && known != Known::measured &&
                known != Known::grown);
    });
    std::ranges::stable_sort(candidates, {}, [&](const CallTime& candidate) {
        return candidate.time_s.value +
               chance_of_timeout(candidate.modelled) * timeout_of(network_);
    });
    return std::move(candidates);
}

std::vector<Choice> Decider::quickest_in_loops(const std::vector<CallTime>& candidates,
                                               const Clusters& clusters, std::uint64_t size_bytes,
                                               bool rough) const {
    // A choice that carries half as many bytes again over its busiest port wins in no loop.
    constexpr double most_bytes = 1.5;
    std::vector<double> port_bytes;
    for (const auto& candidate : candidates)
        port_bytes.push_back(busiest_port_bytes(candidate.choice, clusters, size_bytes));
    const double least_bytes = candidates.empty() ? 0 : std::ranges::min(port_bytes);
    std::vector<std::pair<double, Choice>> timed;
    const auto add = [&](const Choice& choice) {
        if (const auto time = time_of(others_.back(), choice, clusters, size_bytes, rough))
            timed.emplace_back(time->time_s.value, choice);
    };
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (port_bytes[i] > most_bytes * least_bytes)
            continue;
        // A segment that is short for a call's depth costs headers and start-ups, and in loops
        // depth is free.
        auto whole = candidates[i].choice;
        if (auto& segment_bytes = whole.parameters.segment_bytes; segment_bytes > 0)
            segment_bytes =
                std::min(std::max(segment_bytes, packet_payload_bytes(network_)), size_bytes);
        add(whole);
        constexpr std::uint64_t longer = 4;
        auto with_longer = whole;
        with_longer.parameters.segment_bytes *= longer;
        if (with_longer.parameters.segment_bytes > 0 &&
            with_longer.parameters.segment_bytes < size_bytes)
            add(with_longer);
    }
    std::ranges::stable_sort(timed, {}, &std::pair<double, Choice>::first);
    timed.resize(std::min(most_competing_in_loops, timed.size()));
    std::vector<Choice> choices;
    for (const auto& [time_s, choice] : timed)
        choices.push_back(rounded(network_, size_bytes, choice));
    return choices;
}

DecidedCall Decider::at(std::span<const Clusters> spreads, std::uint64_t size_bytes) const {
    return decided(begun(spreads, size_bytes), spreads);
}

DecidedCall Decider::predicted_at(std::span<const Clusters> spreads,
                                  std::uint64_t size_bytes) const {
    return decided(begun(spreads, size_bytes, true), spreads);
}

/// Among the best of all that may replace the library's own.
DecidedCall Decider::decided(DecidedCall call, std::span<const Clusters> spreads) const {
    const auto size_bytes = call.size_bytes;
    const auto& clusters = spreads.front();
    const auto candidates = call.knows_library()
                                ? ranked(clusters, size_bytes, call.predicted)
                                : Result<std::vector<CallTime>>(refused(
                                      fmt::format("no call of the MPI library near {} was measured",
                                                  call_text(clusters, size_bytes))));
    if (!candidates) {
        settle(call);
        call.why = candidates.error().message;
        return call;
    }
    for (std::size_t i = 0; i < std::min(most_competing, candidates->size()); ++i)
        append(call, spreads, stated((*candidates)[i], clusters, size_bytes, call.predicted));
    if (in_loops() && options_.start.value_or(StartMode::loop) == StartMode::loop)
        for (const auto& choice :
             quickest_in_loops(*candidates, clusters, size_bytes, call.predicted))
            append(call, spreads, choice);
    settle(call);
    return call;
}

DecidedCall Decider::at(std::span<const Clusters> spreads, std::uint64_t size_bytes,
                        std::span<const Choice> choices) const {
    auto call = begun(spreads, size_bytes);
    for (const auto& choice : choices)
        append(call, spreads, choice);
    settle(call);
    return call;
}

std::size_t Decider::add(DecidedCall& call, std::span<const Clusters> spreads,
                         const Choice& choice) const {
    if (append(call, spreads, choice))
        settle(call);
    return static_cast<std::size_t>(std::ranges::find(call.choices, choice) - call.choices.begin());
}

std::vector<Odds> Decider::odds_from(const DecidedCall& call, std::size_t start) const {
    if (starts_.size() == 1)
        return call.odds;
    std::vector<std::vector<Odds>> from_start;
    for (std::size_t i = 0; i < call.odds_in.size(); ++i)
        if (std::min(i % ways(), starts_.size() - 1) == start)
            from_start.push_back(call.odds_in[i]);
    return mean_of(from_start, call.choices.size());
}

} // namespace alltold
