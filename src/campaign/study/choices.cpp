// SPDX-License-Identifier: BSD-3-Clause
// Calls by rules, their medians, and a table.
#include "campaign/study/choices.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/choice_table.hpp"
#include "predict/collective_bounds.hpp"
#include "predict/decision_table.hpp"
#include "predict/rank.hpp"
#include "predict/resolve.hpp"
#include "predict/safe_choice.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "store/profile_rules.hpp"

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

/// What `measured` holds of a call under this probe; empty if one of the two medians is missing.
std::optional<ChosenTimes> timed(const ChosenCall& call, const std::string& probe,
                                 std::span<const PointSamples> measured) {
    const auto median_of = [&](const std::string& algorithm) -> std::optional<Estimate> {
        for (const auto& samples : measured) {
            const auto& point = samples.point;
            const auto times_s = samples.series().times_s;
            if (!times_s.empty() && point.probe == probe && point.clusters == call.clusters &&
                point.size_bytes == call.size_bytes && carries_out(point.algorithm, algorithm))
                return median_interval(times_s);
        }
        return std::nullopt;
    };
    const auto chosen_s = median_of(call.algorithm), library_s = median_of("mpi");
    return chosen_s && library_s ? std::optional(ChosenTimes{*chosen_s, *library_s}) : std::nullopt;
}

/// The table names the collective.
std::string short_algorithm(const std::string& algorithm) {
    const auto choice = parse_choice(algorithm);
    return choice ? short_text(*choice) : algorithm;
}

std::string table_of(std::span<const ChosenCall> calls,
                     std::optional<ChosenTimes> ChosenCall::*times) {
    TextTable table;
    table.column("call", TextTable::Align::left);
    for (const char* name : {"n", "m"})
        table.column(name);
    table.column("chosen", TextTable::Align::left);
    for (const char* name : {"time", "95 % interval", "mpi", "faster", "x bound"})
        table.column(name);
    for (const auto& call : calls) {
        std::vector<std::string> cells{call.name(), call.clusters.text(),
                                       format_size(static_cast<double>(call.size_bytes)),
                                       short_algorithm(call.algorithm)};
        if (const auto& timed = call.*times) {
            const auto& [chosen_s, library_s] = *timed;
            cells.insert(cells.end(),
                         {format_time(chosen_s.value), format_interval(chosen_s),
                          format_time(library_s.value), fmt::format("{:.2f}x", timed->gain()),
                          format_over_bound(chosen_s.value, call.bound_s)});
        } else {
            cells.resize(cells.size() + 5, "-");
        }
        table.row(std::move(cells));
    }
    return table.text();
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

} // namespace

std::vector<ChosenCall> chosen_calls(const Profile& profile, const Clusters& hosts,
                                     std::span<const std::uint64_t> sizes_bytes) {
    const auto& network = profile.network;
    const auto rules = rules_of(profile);
    std::vector<ChosenCall> calls;
    for (const auto collective : uniform_collectives) {
        const std::vector<std::vector<Rule>> sources{rules ? *rules : std::vector<Rule>()};
        const ChoiceTable table(sources, collective, hosts.ranks(), hosts.count());
        for (const auto size_bytes : sizes_bytes) {
            ChosenCall call{.collective = collective, .clusters = hosts, .size_bytes = size_bytes};
            if (const auto choice =
                    resolve({collective, hosts, size_bytes}, &network, {.rules = &table}))
                call.algorithm = text_of(*choice);
            call.bound_s = collective_bound_s(
                Specification::of(collective, hosts.ranks(), 0, size_bytes), hosts, network);
            calls.push_back(std::move(call));
        }
    }
    return calls;
}

std::vector<Choice> candidates_of(const ChosenCall& call, const Network& network) {
    constexpr std::size_t most = 2;
    const auto chosen = parse_choice(call.algorithm);
    if (chosen && chosen->algorithm)
        return with_longer_segments(*chosen, call.size_bytes);
    const auto ranking = rank(network, call.collective, call.clusters, call.size_bytes);
    if (!ranking)
        return {};
    SecondTime second;
    if (const auto after = from_second_start(network, call.collective, call.clusters))
        second = [&, after](const Choice& choice) -> std::optional<Estimate> {
            const auto time =
                evaluate(*after, call.collective, call.clusters, call.size_bytes, choice);
            return time ? std::optional(time->known_s()) : std::nullopt;
        };
    auto choices = contenders(*ranking, second, most);
    for (auto& choice : choices)
        choice = rounded(network, choice);
    return choices;
}

void add_times(std::span<ChosenCall> calls, std::span<const PointSamples> measured,
               StartMode start_mode) {
    for (auto& call : calls) {
        call.timed = timed(call, call.name(), measured);
        call.second = timed(call, call.second_probe(second_start(start_mode)), measured);
    }
}

std::string choice_table(std::span<const ChosenCall> calls) {
    return table_of(calls, &ChosenCall::timed);
}

std::string second_start_table(std::span<const ChosenCall> calls) {
    std::vector<ChosenCall> timed_again;
    std::ranges::copy_if(calls, std::back_inserter(timed_again),
                         [](const ChosenCall& call) { return call.second.has_value(); });
    return timed_again.empty() ? "" : table_of(timed_again, &ChosenCall::second);
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
            row.update({{"time_s", call.timed->chosen_s.value},
                        {"library_s", call.timed->library_s.value}});
        if (call.second)
            row.update({{"second_start_time_s", call.second->chosen_s.value},
                        {"second_start_library_s", call.second->library_s.value}});
        list.push_back(std::move(row));
    }
    return list;
}

} // namespace alltold::campaign
