// SPDX-License-Identifier: BSD-3-Clause
// Calls by rules, their medians, and a table.
#include "campaign/study/choices.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/choice.hpp"
#include "predict/choice_table.hpp"
#include "predict/collective_bounds.hpp"
#include "predict/resolve.hpp"
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

} // namespace

std::vector<ChosenCall> chosen_calls(const Profile& profile,
                                     std::span<const std::uint64_t> sizes_bytes) {
    const auto& network = profile.network;
    const auto& hosts = profile.provenance.clusters;
    const auto rules = rules_of(profile);
    std::vector<ChosenCall> calls;
    for (const auto collective :
         {Collective::bcast, Collective::scatter, Collective::gather, Collective::alltoall}) {
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

void add_times(std::span<ChosenCall> calls, std::span<const PointSamples> measured) {
    for (auto& call : calls) {
        const auto median_of = [&](const std::string& algorithm, Estimate& into) {
            for (const auto& samples : measured) {
                const auto& point = samples.point;
                const auto times_s = samples.series().times_s;
                if (times_s.empty() || point.probe != call.name() ||
                    point.clusters != call.clusters || point.size_bytes != call.size_bytes ||
                    !carries_out(point.algorithm, algorithm))
                    continue;
                into = median_interval(times_s);
                return true;
            }
            return false;
        };
        const bool chosen = median_of(call.algorithm, call.chosen_s);
        call.timed = median_of("mpi", call.library_s) && chosen;
    }
}

std::string choice_table(std::span<const ChosenCall> calls) {
    TextTable table;
    table.column("call", TextTable::Align::left);
    for (const char* name : {"n", "m"})
        table.column(name);
    table.column("chosen", TextTable::Align::left);
    for (const char* name : {"time", "95 % interval", "mpi", "mpi / chosen", "chosen / bound"})
        table.column(name);
    for (const auto& call : calls) {
        const auto ratio = [&](double of_s, double over_s) {
            return call.timed && over_s > 0 ? fmt::format("{:.2f}", of_s / over_s) : "-";
        };
        table.row({call.name(), call.clusters.text(),
                   format_size(static_cast<double>(call.size_bytes)), call.algorithm,
                   call.timed ? format_time(call.chosen_s.value) : "-",
                   call.timed ? format_interval(call.chosen_s) : "-",
                   call.timed ? format_time(call.library_s.value) : "-",
                   ratio(call.library_s.value, call.chosen_s.value),
                   ratio(call.chosen_s.value, call.bound_s)});
    }
    return table.text();
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
            row.update({{"time_s", call.chosen_s.value}, {"library_s", call.library_s.value}});
        list.push_back(std::move(row));
    }
    return list;
}

} // namespace alltold::campaign
