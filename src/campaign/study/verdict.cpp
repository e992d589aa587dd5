// SPDX-License-Identifier: BSD-3-Clause
// Sentences and one table.
#include "campaign/study/verdict.hpp"

#include <algorithm>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/study/study.hpp"
#include "core/percent.hpp"
#include "core/units.hpp"
#include "predict/choice.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "report/wrapped.hpp"

namespace alltold::campaign {
namespace {

std::string rate_text(const Link& link) {
    return (link.at_least ? "at least " : "") + format_rate(8 * link.goodput_bytes_per_s);
}

std::string queue_text(const Link& link) {
    return link.queue_bytes > 0 ? format_size(link.queue_bytes) : "an unknown size";
}

std::string network_text(const Network& network) {
    if (!network.links)
        return "";
    const auto& links = *network.links;
    auto text =
        wrapped(fmt::format("Links of hosts carry {} of payload; switch ports have buffers of {}.",
                            rate_text(links.port), queue_text(links.port)));
    if (const auto& backbone = links.backbone)
        text += wrapped(fmt::format(
            "Paths between clusters carry {} and take {} more one way; their queue has {}.",
            rate_text(*backbone),
            backbone->latency_known ? format_time(backbone->latency_s) : "an unknown time",
            queue_text(*backbone)));
    return text;
}

std::string error_text(const ErrorSummary& summary) {
    return summary.points > 0 ? format_percent(summary.median_error) : "not known";
}

std::string predictions_text(const Validation& validation) {
    const int calls = validation.held_out.points + validation.ours_held_out.points;
    if (calls == 0)
        return wrapped("No prediction could be checked.");
    return wrapped(fmt::format(
        "{} of {} calls that were predicted before they were measured took a time inside the 90 % "
        "interval. Median error: {} for the MPI library's own collectives, {} for alltold's.",
        validation.held_out.covered + validation.ours_held_out.covered, calls,
        error_text(validation.held_out), error_text(validation.ours_held_out)));
}

/// Without the collective and the parameters.
std::string short_name(const std::string& algorithm) {
    const auto choice = parse_choice(algorithm);
    if (!choice || !choice->algorithm)
        return algorithm;
    const auto name = choice->algorithm->name;
    return std::string(name.substr(name.find('.') + 1));
}

std::string gain_text(const ChosenCall& call, const std::optional<ChosenTimes>& times) {
    if (!times || call.algorithm == "mpi")
        return "-";
    return fmt::format("{:.2f}x", times->gain());
}

std::string over_bound_text(const ChosenCall& call) {
    return call.timed ? format_over_bound(call.timed->chosen_s.value, call.bound_s) : "-";
}

const char* library_after(StartMode start_mode) {
    return start_mode == StartMode::silence ? "MPI's after silence" : "MPI's after barrier";
}

/// The library's time, and what is gained over it.
std::string second_text(const ChosenCall& call) {
    if (!call.second)
        return "-";
    const auto time = format_time(call.second->library_s.value);
    return call.algorithm == "mpi" ? time
                                   : fmt::format("{} ({})", time, gain_text(call, call.second));
}

std::string choices_text(std::span<const ChosenCall> choices, StartMode start_mode) {
    TextTable table;
    table.column("call", TextTable::Align::left);
    table.column("m");
    table.column("run", TextTable::Align::left);
    for (const char* heading :
         {"time", "MPI's", "faster", "x bound", library_after(second_start(start_mode))})
        table.column(heading);
    for (const auto& call : choices)
        table.row({call.name(), format_size(static_cast<double>(call.size_bytes)),
                   short_name(call.algorithm),
                   call.timed ? format_time(call.timed->chosen_s.value) : "-",
                   call.timed ? format_time(call.timed->library_s.value) : "-",
                   gain_text(call, call.timed), over_bound_text(call), second_text(call)});
    return table.text();
}

/// The largest gain over the library; null where there is none.
const ChosenCall* best_of(std::span<const ChosenCall> choices) {
    const auto gain = [](const ChosenCall& call) {
        return call.timed && call.algorithm != "mpi" ? call.timed->gain() : 1;
    };
    const auto best = std::ranges::max_element(choices, {}, gain);
    return best != choices.end() && gain(*best) > 1 ? &*best : nullptr;
}

std::string gain_sentence(std::span<const ChosenCall> choices) {
    const auto* best = best_of(choices);
    if (!best)
        return wrapped("For the calls below nothing is known to be faster than what the MPI "
                       "library does itself.");
    return wrapped(fmt::format(
        "{} of {} on {} hosts takes {} with {} and {} with the MPI library's own choice: {:.1f} "
        "times as fast.",
        best->name(), format_size(static_cast<double>(best->size_bytes)), best->clusters.text(),
        format_time(best->timed->chosen_s.value), short_name(best->algorithm),
        format_time(best->timed->library_s.value), best->timed->gain()));
}

std::string next_text(std::span<const ChosenCall> choices, const std::filesystem::path& folder) {
    const auto clusters = choices.empty() ? std::string("2") : choices.front().clusters.text();
    return fmt::format("Next: alltold rank {} alltoall --clusters {} -m 64KiB --why\n"
                       "All that was measured, predicted and refused: {}\n",
                       shown(folder / "profile.json"), clusters, shown(folder / page_file));
}

} // namespace

std::string shown(const std::filesystem::path& path) {
    std::error_code error;
    const auto near = std::filesystem::proximate(path, error).string();
    return error || near.size() >= path.string().size() ? path.string() : near;
}

std::vector<std::string> unknown_of(const Network& network, const Clusters& hosts) {
    std::vector<std::string> unknown;
    if (!network.links)
        unknown.emplace_back("the rate of the hosts' links");
    if (hosts.count() > 1 && (!network.links || !network.links->backbone))
        unknown.emplace_back("the paths between clusters");
    for (const auto collective : uniform_collectives)
        if (!correction_of(network, collective, hosts, true))
            unknown.push_back(fmt::format("the time of the MPI library's {} on {}",
                                          name_of(collective), hosts.text()));
    return unknown;
}

std::string study_heading(const Provenance& here, std::time_t now) {
    const auto library = here.mpi_library.substr(0, here.mpi_library.find(','));
    return fmt::format("alltold study: {} hosts ({}), {}, {:%Y-%m-%d %H:%M}", here.hosts.size(),
                       here.clusters.text(), library, fmt::localtime(now));
}

std::vector<std::string> study_warnings(const Provenance& here,
                                        const std::vector<std::string>& unknown) {
    std::vector<std::string> warnings;
    if (!unknown.empty())
        warnings.push_back(fmt::format("not known: {}; where the library's time is not known its "
                                       "own choice is kept. A larger --budget may help",
                                       fmt::join(unknown, ", ")));
    if (std::set(here.hosts.begin(), here.hosts.end()).size() < here.hosts.size())
        warnings.push_back(
            "some ranks share a host: messages between them do not cross the network");
    return warnings;
}

std::string study_verdict(const std::string& heading, const Profile& profile,
                          const Validation& validation, std::span<const ChosenCall> choices,
                          StartMode start_mode, const std::vector<std::string>& warnings,
                          const std::string& advice, const std::filesystem::path& folder) {
    auto text = fmt::format("{0}\n{1:=<{2}}\n\n{3}{4}{5}", heading, "", heading.size(),
                            gain_sentence(choices), network_text(profile.network),
                            predictions_text(validation));
    for (const auto& warning : warnings)
        text += wrapped("warning: " + warning);
    if (!choices.empty())
        text +=
            fmt::format("\nWhat to run on all {} hosts (its parameters: alltold rules {}):\n\n{}",
                        choices.front().clusters.ranks(), shown(folder / "profile.json"),
                        choices_text(choices, start_mode));
    if (!advice.empty())
        text += "\n" + advice;
    return text + "\n" + next_text(choices, folder);
}

} // namespace alltold::campaign
