// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/choices.hpp"

#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "campaign/study/plan.hpp"
#include "core/parallel.hpp"
#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "predict/bounds/bounds.hpp"
#include "predict/decide/decided_call.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/parameters/resolve.hpp"
#include "report/format.hpp"

namespace alltold::campaign {
namespace {

/// Whether the measured algorithm is the choice; it may have parameters that the choice leaves
/// open.
bool carries_out(const std::string& measured, const std::string& chosen) {
    const auto was = parse_choice(measured), is = parse_choice(chosen);
    if (!was || !is || was->algorithm != is->algorithm || was->library != is->library)
        return false;
    const auto agree = [](auto own, auto asked) { return asked == 0 || own == asked; };
    const auto &own = was->parameters, &asked = is->parameters;
    return agree(own.segment_bytes, asked.segment_bytes) && agree(own.window, asked.window) &&
           agree(own.inter_cluster_window, asked.inter_cluster_window);
}

/// What `measured` holds of an algorithm for a call under this probe.
std::optional<Estimate> median_of(const ChosenCall& call, const std::string& algorithm,
                                  const std::string& probe,
                                  std::span<const PointSamples> measured) {
    for (const auto& samples : measured) {
        const auto& point = samples.point;
        const auto times_s = samples.series().times_s;
        if (!times_s.empty() && point.probe == probe && point.clusters == call.clusters &&
            point.size_bytes == call.size_bytes && carries_out(point.algorithm, algorithm))
            return median_interval(times_s);
    }
    return std::nullopt;
}

/// Both medians; empty if one is missing.
std::optional<ChosenTimes> timed(const ChosenCall& call, const std::string& algorithm,
                                 const std::string& probe, std::span<const PointSamples> measured) {
    const auto chosen_s = median_of(call, algorithm, probe, measured),
               library_s = median_of(call, "mpi", probe, measured);
    return chosen_s && library_s ? std::optional(ChosenTimes{*chosen_s, *library_s}) : std::nullopt;
}

/// What runs from the other start mode.
const std::string& algorithm_from_second(const ChosenCall& call) {
    return call.second_algorithm.empty() ? call.algorithm : call.second_algorithm;
}

std::string time_or_dash(const std::optional<Estimate>& time_s) {
    return time_s ? format_time(time_s->value) : "-";
}

/// The same of a time that may be a prediction.
std::string untimed_text(const std::optional<Estimate>& time_s) {
    return time_s ? format_predicted(*time_s) : "-";
}

/// What the table's row gives as the time of the choice.
std::optional<Estimate> shown_time(const ChosenCall& call) {
    if (!call.timed)
        return call.untimed_s;
    return call.loses() ? call.timed->library_s : call.timed->chosen_s;
}

/// With their bounds, without choices.
std::vector<ChosenCall> calls_of(const Network& network, const Clusters& hosts,
                                 std::span<const std::uint64_t> sizes_bytes,
                                 std::span<const Collective> collectives) {
    std::vector<ChosenCall> calls;
    for (const auto collective : collectives)
        for (const auto size_bytes : sizes_for(collective, sizes_bytes))
            calls.push_back(
                {.collective = collective,
                 .clusters = hosts,
                 .size_bytes = size_bytes,
                 .bound_s = collective_bound_s(
                     Specification::of(collective, hosts.ranks(), 0, size_bytes), hosts, network)});
    return calls;
}

/// The choice, and the same with longer segments where these are many: how busy short ones keep
/// processors is in no model.
std::vector<Choice> with_longer_segments(const Choice& chosen, std::uint64_t size_bytes) {
    constexpr std::uint64_t times_longer = 4, fewest_segments = 8;
    std::vector<Choice> choices{chosen};
    auto longer = chosen;
    longer.parameters.segment_bytes *= times_longer;
    if (longer.parameters.segment_bytes > 0 && chosen.algorithm->collective == Collective::bcast &&
        size_bytes >= fewest_segments * longer.parameters.segment_bytes)
        choices.push_back(longer);
    return choices;
}

/// The candidates of a call, and what it is expected to lose while none of them was timed
/// (TunedCall::stake).
struct Contest {
    std::vector<Choice> candidates;
    double stake = 0;
};

/// The start from which a study times calls; all-to-alls are chosen for both.
std::optional<StartMode> start_of(Collective collective, StartMode usual) {
    return collective == Collective::alltoall ? std::nullopt : std::optional(usual);
}

Contest contest_of(const ChosenCall& call, const Profile& profile) {
    constexpr std::size_t most = 2;
    constexpr double least_stake = 0.02;
    SimulationCache simulations;
    const auto usual = profile.provenance.start_mode;
    const Decider decider(profile.network, usual, call.collective, call.clusters, simulations,
                          {.start = start_of(call.collective, usual)});
    const std::span spreads(&call.clusters, 1);
    auto decided = decider.at(spreads, call.size_bytes);
    Contest contest;
    std::size_t place = 0;
    const auto chosen = parse_choice(call.algorithm);
    if (chosen && chosen->algorithm) {
        contest.candidates = with_longer_segments(*chosen, call.size_bytes);
        place = decider.add(decided, spreads, *chosen);
    } else {
        std::vector<std::size_t> order(decided.choices.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return decided.odds[i].ratio; });
        for (const auto i : order)
            if (i != 0 && contest.candidates.size() < most &&
                decided.odds[i].chance_of_loss < 1 - decider.terms().risk)
                contest.candidates.push_back(decided.choices[i]);
    }
    contest.stake = std::max(least_stake, regret_of(decided.settings, place));
    return contest;
}

/// Adds the choice that programs try in loops.
void add_loop_choice(ChosenCall& call, std::span<const std::vector<Rule>> sources,
                     RankCounts counts) {
    counts.starts = {StartMode::loop};
    const ChoiceTable table(sources, call.collective, counts);
    const auto& candidate = table.candidates_at(call.size_bytes).front();
    const auto& ratio = candidate.expected.after(StartMode::loop);
    if (candidate.choice.is_default() || !ratio || *ratio * (1 + Terms().worth) > 1)
        return;
    call.loop_algorithm = text_of(candidate.choice);
    call.loop_gain = 1 / *ratio;
}

} // namespace

std::vector<ChosenCall> chosen_calls(const Profile& profile, const Clusters& hosts,
                                     std::span<const std::uint64_t> sizes_bytes,
                                     StartMode start_mode,
                                     std::span<const Collective> collectives) {
    const auto& network = profile.network;
    const auto rules = rules_of(profile);
    const std::vector<std::vector<Rule>> sources{rules ? *rules : std::vector<Rule>()};
    RankCounts after_second(hosts);
    after_second.starts = {second_start(start_mode)};
    auto calls = calls_of(network, hosts, sizes_bytes, collectives);
    const auto choice_of = [&](const ChosenCall& call, const RankCounts& counts) {
        const ChoiceTable table(sources, call.collective, counts);
        const auto choice =
            resolve({call.collective, hosts, call.size_bytes}, &network, {.rules = &table});
        return choice ? text_of(*choice) : "mpi";
    };
    for (auto& call : calls) {
        RankCounts counts(hosts);
        if (const auto start = start_of(call.collective, start_mode))
            counts.starts = {*start};
        call.algorithm = choice_of(call, counts);
        add_loop_choice(call, sources, counts);
        if (call.collective != Collective::alltoall || call.algorithm != "mpi")
            continue;
        if (auto second = choice_of(call, after_second); second != "mpi")
            call.second_algorithm = std::move(second);
    }
    return calls;
}

std::vector<ChosenCall> decided_calls(const Network& network, StartMode start_mode,
                                      const Clusters& hosts,
                                      std::span<const std::uint64_t> sizes_bytes,
                                      std::span<const Collective> collectives) {
    auto calls = calls_of(network, hosts, sizes_bytes, collectives);
    const auto choices = in_parallel(calls.size(), [&](std::size_t i) {
        SimulationCache simulations;
        const auto collective = calls[i].collective;
        const Decider decider(network, start_mode, collective, hosts, simulations,
                              {.start = start_of(collective, start_mode)});
        return text_of(decider.at({&hosts, 1}, calls[i].size_bytes).choice());
    });
    for (std::size_t i = 0; i < calls.size(); ++i)
        calls[i].algorithm = choices[i];
    return calls;
}

std::vector<TunedCall> calls_to_time(std::span<const ChosenCall> calls, const Profile& profile,
                                     std::span<const PointSamples> measured, StartMode start_mode) {
    const auto contests =
        in_parallel(calls.size(), [&](std::size_t i) { return contest_of(calls[i], profile); });
    std::vector<TunedCall> to_time;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto& call = calls[i];
        const auto& [candidates, stake] = contests[i];
        std::vector<CollectiveProbe> probes{{call.collective}};
        if (call.collective == Collective::alltoall)
            probes.push_back({call.collective, second_start(start_mode)});
        for (const auto& probe : probes) {
            auto& added = to_time.emplace_back(
                call_among(profile, probe, call.clusters, call.size_bytes, candidates, measured));
            added.stake = stake;
            added.weight = weight_of(call.clusters, profile.provenance.clusters);
        }
    }
    return to_time;
}

void add_times(std::span<ChosenCall> calls, std::span<const PointSamples> measured,
               StartMode start_mode) {
    for (auto& call : calls) {
        call.timed = timed(call, call.algorithm, call.name(), measured);
        call.second = timed(call, algorithm_from_second(call),
                            call.second_probe(second_start(start_mode)), measured);
        if (!call.timed) {
            call.untimed_s = median_of(call, call.algorithm, call.name(), measured);
            call.untimed_library_s = median_of(call, "mpi", call.name(), measured);
        }
    }
}

void add_predictions(std::span<ChosenCall> calls, const Network& network) {
    for (auto& call : calls) {
        if (call.timed)
            continue;
        const auto& [collective, clusters, size_bytes] =
            std::tie(call.collective, call.clusters, call.size_bytes);
        if (!call.untimed_library_s && library_known(network, collective, clusters, size_bytes))
            if (const auto library = predict_library(network, collective, clusters, size_bytes))
                call.untimed_library_s = library->time_s;
        const auto choice = parse_choice(call.algorithm);
        if (call.untimed_s || !choice)
            continue;
        if (choice->is_default())
            call.untimed_s = call.untimed_library_s;
        else if (const auto ours = evaluate(network, collective, clusters, size_bytes, *choice))
            call.untimed_s = ours->time_s;
    }
}

std::string gain_text(std::string_view algorithm, const std::optional<ChosenTimes>& times) {
    if (!times || algorithm == "mpi")
        return "-";
    return times->faster() || times->slower() ? format_ratio(times->gain()) + "x" : "tie";
}

std::string gain_text(const ChosenCall& call) {
    if (!call.timed)
        return call.untimed_s && !says_nothing(*call.untimed_s) ? "predicted" : "not known";
    return call.loses() ? "-" : gain_text(call.algorithm, call.timed);
}

std::string time_text(const ChosenCall& call) {
    return call.timed ? time_or_dash(shown_time(call)) : untimed_text(call.untimed_s);
}

std::string library_time_text(const ChosenCall& call) {
    return call.timed ? time_or_dash(call.timed->library_s) : untimed_text(call.untimed_library_s);
}

std::string over_bound_text(const ChosenCall& call) {
    const auto time_s = shown_time(call);
    return time_s && (call.timed || !says_nothing(*time_s))
               ? format_over_bound(time_s->value, call.bound_s)
               : "-";
}

const ChosenCall* best_of(std::span<const ChosenCall> calls) {
    const ChosenCall* best = nullptr;
    for (const auto& call : calls)
        if (call.timed && call.algorithm != "mpi" && call.timed->faster() &&
            (!best || call.timed->gain() > best->timed->gain()))
            best = &call;
    return best;
}

nlohmann::ordered_json choices_to_json(std::span<const ChosenCall> calls) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& call : calls) {
        nlohmann::ordered_json row{{"collective", call.name()},
                                   {"clusters", call.clusters.text()},
                                   {"size_bytes", call.size_bytes},
                                   {"chosen", call.algorithm},
                                   {"bound_s", call.bound_s}};
        if (call.timed)
            row.update({{"time_s", to_json(call.timed->chosen_s)},
                        {"library_s", to_json(call.timed->library_s)}});
        if (call.untimed_s)
            row["untimed_time_s"] = to_json(*call.untimed_s);
        if (call.untimed_library_s)
            row["untimed_library_s"] = to_json(*call.untimed_library_s);
        if (!call.second_algorithm.empty())
            row["second_start_chosen"] = call.second_algorithm;
        if (call.second)
            row.update({{"second_start_time_s", to_json(call.second->chosen_s)},
                        {"second_start_library_s", to_json(call.second->library_s)}});
        if (!call.loop_algorithm.empty())
            row.update(
                {{"loop_tried", call.loop_algorithm}, {"loop_expected_gain", call.loop_gain}});
        list.push_back(std::move(row));
    }
    return list;
}

} // namespace alltold::campaign
