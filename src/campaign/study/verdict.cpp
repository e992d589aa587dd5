// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/verdict.hpp"

#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.hpp"
#include "report/format.hpp"
#include "report/next_command.hpp"
#include "report/text_table.hpp"

namespace alltold::campaign {
namespace {

/// With what is added below the verdict.
constexpr std::size_t most_verdict_lines = 40, lines_of_charts = 1;

std::string rate_text(const Link& link) {
    return (link.at_least ? "at least " : "") + format_rate(8 * link.goodput_bytes_per_s);
}

/// "an unknown amount (no floods were measured)"
std::string unknown_text(const char* quantity, const Profile& profile, std::string_view refused) {
    for (const auto& [what, reason] : profile.refused)
        if (what == refused)
            return fmt::format("{} ({})", quantity, reason);
    return quantity;
}

std::string queue_text(const Link& link, const Profile& profile, std::string_view refused) {
    return link.queue_bytes > 0 ? format_size(link.queue_bytes)
                                : unknown_text("an unknown amount", profile, refused);
}

std::string network_text(const Profile& profile) {
    if (!profile.network.links)
        return "";
    const auto& links = *profile.network.links;
    std::string text;
    const auto add_port = [&](const Link& port, const std::string& where) {
        text += wrapped(
            fmt::format("Each host link{} carries {} of payload; each switch port buffers {}.",
                        where, rate_text(port), queue_text(port, profile, "switch buffer")));
    };
    const auto add_path = [&](const Link& path, const std::string& where) {
        text += wrapped(fmt::format(
            "Paths between clusters{} carry {}, add {} one way and queue {}.", where,
            rate_text(path),
            path.latency_known ? format_time(path.latency_s)
                               : unknown_text("an unknown time", profile, "backbone latency"),
            queue_text(path, profile, "backbone queue")));
    };
    for (int c = 0; c < std::ssize(links.ports); ++c)
        add_port(links.port_of(c), fmt::format(" of cluster {}", c));
    if (links.ports.empty())
        add_port(links.port, "");
    for (int b = 1; b < links.clusters_with_paths(); ++b)
        for (int a = 0; a < b; ++a)
            add_path(links.path(a, b), fmt::format(" {} and {}", a, b));
    if (links.paths.empty() && links.backbone)
        add_path(*links.backbone, "");
    return text;
}

std::string error_text(const ErrorSummary& summary) {
    return summary.points > 0 ? format_percent(summary.median_error) : "not known";
}

std::string predictions_text(const Validation& validation) {
    const int calls = validation.held_out_calls();
    if (calls == 0)
        return wrapped("No prediction could be checked.");
    return wrapped(fmt::format(
        "Of {} calls predicted before they were measured, {} fell inside the 90 % interval. Median "
        "error: {} for the MPI library's own collectives, {} for alltold's.",
        calls, validation.held_out_covered(), error_text(validation.held_out),
        error_text(validation.ours_held_out)));
}

/// Whether the answers became as precise as asked.
std::string precision_text(const PreciseTargets& precise) {
    return precise.all == 0
               ? ""
               : wrapped(fmt::format("{} of {} predictions are as precise as asked, within {}.",
                                     precise.narrow, precise.all,
                                     format_percent(precise.asked, 0)));
}

std::string gain_sentence(std::span<const ChosenCall> choices) {
    const auto* best = best_of(choices);
    if (!best)
        return wrapped("For the calls below no algorithm was found to be faster than the MPI "
                       "library's own choice.");
    return wrapped(fmt::format(
        "{} of {} on {} takes {} with alltold's {} algorithm and {} with the MPI library's own "
        "choice: {} times as fast.",
        best->name(), format_size(best->size_bytes), hosts_text(best->clusters),
        format_time(best->timed->chosen_s.value), short_name(best->algorithm),
        format_time(best->timed->library_s.value), format_ratio(best->timed->gain(), 1)));
}

/// The commands to type next. A lab is gone by then.
std::string next_text(const Profile& of, std::span<const ChosenCall> choices,
                      const StudyOptions& options) {
    constexpr std::uint64_t some_bytes = 65536;
    const auto clusters = choices.empty() ? Clusters({2}) : choices.front().clusters;
    const auto profile = shown(options.folder / "profile.json");
    const auto* best = best_of(choices);
    std::string text;
    if (!options.truth_file.empty())
        text = fmt::format("On your cluster: mpirun -n RANKS --map-by node {} study\n",
                           options.command);
    else if (std::ranges::any_of(choices, gains))
        text = fmt::format(
            "Use it: mpirun -n {} {} exec --profile {} -- PROGRAM\n"
            "Or let all programs on such hosts find it: {} site init ~/.config/alltold {}\n",
            clusters.ranks(), options.command, profile, options.command, shown(options.folder));
    if (options.truth_file.empty() && options.advice.empty() &&
        library_named(of.provenance.mpi_library) != MpiLibrary::other)
        text += fmt::format(
            "Try settings of the MPI library: {}\n",
            settings_command(options.command, {best ? best->name() : "alltoall", "mpi", clusters,
                                               best ? best->size_bytes : some_bytes}));
    return text + fmt::format("Why: {}\nAll measurements, predictions and rejected fits: {}\n",
                              rank_command(options.command, profile,
                                           best ? best->collective : Collective::alltoall, clusters,
                                           best ? best->size_bytes : some_bytes),
                              shown(options.folder / page_file));
}

} // namespace

std::string shown(const std::filesystem::path& path) {
    std::error_code error;
    const auto near = std::filesystem::proximate(path, error).string();
    return error || near.size() >= path.string().size() ? path.string() : near;
}

std::string study_heading(const Provenance& here, std::time_t now) {
    return fmt::format("alltold study: {}, {}, {:%Y-%m-%d %H:%M}", hosts_text(here.clusters),
                       mpi_library_text(here.mpi_library), fmt::localtime(now));
}

std::vector<std::string> study_warnings(const Provenance& here,
                                        const std::vector<std::string>& unknown) {
    std::vector<std::string> warnings;
    if (!unknown.empty())
        warnings.push_back(fmt::format("not measured well enough: {}. Calls among these keep the "
                                       "MPI library's own choice. A larger --budget may help",
                                       fmt::join(unknown, ", ")));
    const std::set names(here.hosts.begin(), here.hosts.end());
    if (static_cast<int>(names.size()) < here.clusters.hosts())
        warnings.push_back("several ranks share a host but count as separate hosts: messages "
                           "between them do not cross the network");
    return warnings;
}

std::optional<std::string> late_warning(int late, double worst_late_s, std::size_t repetitions) {
    constexpr double many = 1. / 7; // on idle machines it is one in ten or fewer
    const double all = static_cast<double>(repetitions) + late;
    if (late <= many * all)
        return std::nullopt;
    return fmt::format("{} of {:.0f} repetitions began up to {} late and were taken again: the "
                       "hosts were busy, and times may be too long",
                       late, all, format_time(worst_late_s));
}

std::string study_verdict(const std::string& heading, const Profile& profile,
                          const Validation& validation, const PreciseTargets& precise,
                          std::span<const ChosenCall> choices,
                          const std::vector<std::string>& warnings, const StudyOptions& options) {
    auto text =
        fmt::format("{}\n\n{}{}{}{}", heading, gain_sentence(choices), network_text(profile),
                    predictions_text(validation), precision_text(precise));
    for (const auto& warning : warnings)
        text += wrapped("warning: " + warning);
    const auto below = (options.advice.empty() ? "" : "\n" + options.advice) + "\n" +
                       next_text(profile, choices, options);
    if (!choices.empty()) {
        text += "\n" + wrapped(fmt::format(
                           "Fastest choice on all {} hosts (segments and windows: {} rules {})",
                           choices.front().clusters.hosts(), options.command,
                           shown(options.folder / "profile.json")));
        const auto others = lines_of(text) + lines_of(below) + lines_of_charts;
        text += verdict_table(choices, options.start_mode,
                              most_verdict_lines - std::min(most_verdict_lines, others));
    }
    return text + below;
}

} // namespace alltold::campaign
