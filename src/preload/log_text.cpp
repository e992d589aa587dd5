// SPDX-License-Identifier: BSD-3-Clause
// The report as text and as JSON.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/units.hpp"
#include "preload/log_report.hpp"
#include "preload/observer.hpp"

namespace alltold::preload {
namespace {

constexpr std::size_t most_shown = 24;

std::string_view word_of(int why) {
    switch (static_cast<Why>(why)) {
    case Why::rule:
        return "by rule";
    case Why::no_rule:
        return "no rule for another";
    case Why::trial:
        return "to compare";
    case Why::sent_back:
        return "ours was slower";
    case Why::quicker:
        return "ours was quicker";
    case Why::not_ours:
        break;
    }
    return "left alone";
}

std::string signed_time(double time_s) {
    return time_s < 0 ? "-" + format_time(-time_s) : format_time(time_s);
}

std::string time_or_dash(const std::optional<double>& time_s) {
    return time_s ? format_time(*time_s) : "-";
}

/// "64 KiB", the mean.
std::string size_of(const LoggedClass& entry) {
    return format_size(std::round(entry.block_bytes));
}

std::string row_of(const LoggedClass& entry, const LoggedRun& run) {
    std::string name(name_of(entry.shape.collective));
    if (name.size() >= 10) // a line of its own
        name += fmt::format("\n{:10}", "");
    return fmt::format(
        "{:<10}{:>6}{:>10}{:>9.0f}{:>10}{:>10}{:>8}{:>11}{:>11}{:>10}\n", name, entry.shape.ranks,
        size_of(entry), entry.calls, format_size(std::round(entry.block_bytes * entry.calls)),
        format_time(entry.time_s),
        fmt::format("{:.1f} %", run.time_s > 0 ? 100 * entry.time_s / run.time_s : 0),
        entry.shape.nonblocking ? "-" : format_time(entry.measured_s),
        time_or_dash(entry.predicted_s), time_or_dash(entry.bound_s));
}

/// "saved 9.7 s (9.5 to 9.9)", "lost 20 ms (-10 to 50)": the sum, and two standard errors to either
/// side.
std::string saved_text(double saved_s, double error_s) {
    const bool lost = saved_s < 0;
    const double middle_s = std::abs(saved_s);
    return fmt::format("{} {} ({} to {})", lost ? "lost" : "saved", format_time(middle_s),
                       signed_time(middle_s - 2 * error_s), format_time(middle_s + 2 * error_s));
}

/// Calls of ours whose saving blocks could show.
bool is_judged(const LoggedClass& entry, const LoggedRun& run) {
    return !run.observed_only && entry.shape.choice != "mpi";
}

/// The algorithm that ran, why, and the alternatives, in lines of at most 100 columns.
std::string words_of(const LoggedClass& entry, const LoggedRun& run) {
    std::vector<std::string> parts{
        run.observed_only ? std::string("the library's own")
                          : fmt::format("{} ({})", entry.shape.choice, word_of(entry.shape.why))};
    if (entry.shape.nonblocking)
        parts.emplace_back("nonblocking: time until it returned, without the wait");
    if (entry.library_s && entry.shape.choice != "mpi")
        parts.push_back(fmt::format("library's own {} (predicted)", format_time(*entry.library_s)));
    if (entry.runner_up_s)
        parts.push_back(fmt::format("{} {} {}", run.observed_only ? "predicted best" : "next",
                                    entry.runner_up, format_time(*entry.runner_up_s)));
    if (!entry.better.empty())
        parts.push_back(fmt::format("{} would save {}", entry.better, format_time(*entry.saved_s)));
    else if (entry.saved_s)
        parts.push_back(fmt::format("in blocks {} a call, the library's own {}: {}",
                                    format_time(*entry.in_blocks_s),
                                    format_time(*entry.library_in_blocks_s),
                                    saved_text(*entry.saved_s, entry.saved_error_s)));
    else if (is_judged(entry, run))
        parts.emplace_back("saved: not known");
    std::string text, line;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto part = parts[i] + (i + 1 < parts.size() ? "; " : "");
        if (!line.empty() && line.size() + part.size() > 96) {
            text += "    " + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            line.clear();
        }
        line += part;
    }
    return text + "    " + line + "\n";
}

/// Sums over the classes of which it is known.
struct Saved {
    double time_s = 0, error_s = 0;
    double known_calls = 0, unknown_calls = 0; ///< of ours
};

Saved saved_of(const LogReport& report) {
    Saved saved;
    for (const auto& entry : report.classes) {
        saved.time_s += entry.saved_s.value_or(0);
        saved.error_s += entry.saved_error_s;
        if (is_judged(entry, report.run))
            (entry.saved_s ? saved.known_calls : saved.unknown_calls) += entry.calls;
    }
    return saved;
}

std::string end_of(const LogReport& report) {
    const auto& run = report.run;
    const auto saved = saved_of(report);
    const auto share_of = [&](double whole_s) {
        return whole_s > 0 ? 100 * std::abs(saved.time_s) / whole_s : 0;
    };
    if (run.observed_only && !run.network)
        return "Without a profile it is not known what could be saved. Measure the network\n"
               "(mpirun ... alltold study), then run with ALLTOLD_PROFILE=net.json.\n";
    if (run.observed_only && saved.time_s <= 0)
        return "According to the profile, nothing would be saved.\n";
    if (run.observed_only)
        return fmt::format("According to the profile, {} would be saved, {:.1f} % of the run:\n"
                           "    mpirun ... alltold exec --profile {} -- PROGRAM\n",
                           format_time(saved.time_s), share_of(run.time_s), run.profile);
    std::string text =
        run.network ? "" : "Without a profile nothing is predicted: no bounds, no next best.\n";
    if (saved.known_calls > 0) {
        auto sum = saved_text(saved.time_s, saved.error_s);
        sum.front() = saved.time_s < 0 ? 'L' : 'S';
        text += fmt::format("{} in all, {:.1f} % of what the run takes without alltold.\n", sum,
                            share_of(run.time_s + saved.time_s));
    }
    if (saved.unknown_calls > 0)
        text += fmt::format("Not known what {:.0f} calls of ours saved: no blocks of them were "
                            "compared.\n",
                            saved.unknown_calls);
    return text;
}

nlohmann::ordered_json number(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

} // namespace

std::string text_of(const LogReport& report) {
    const auto& run = report.run;
    auto text =
        fmt::format("alltold: {} ranks, {} from MPI_Init to MPI_Finalize, {:.1f} % of it in "
                    "these collectives\n\n{:<10}{:>6}{:>10}{:>9}{:>10}{:>10}{:>8}{:>11}{:>11}"
                    "{:>10}\n",
                    run.ranks, format_time(run.time_s), 100 * report.share, "collective", "ranks",
                    "block", "calls", "bytes", "time", "share", "a call", "predicted", "bound");
    for (std::size_t i = 0; i < std::min(most_shown, report.classes.size()); ++i)
        text += row_of(report.classes[i], run) + words_of(report.classes[i], run);
    if (report.classes.empty())
        text += "none\n";
    double rest_s = report.others.time_s / run.ranks;
    for (auto i = most_shown; i < report.classes.size(); ++i)
        rest_s += report.classes[i].time_s;
    if (rest_s > 0)
        text += fmt::format("and {} in other shapes\n", format_time(rest_s));
    return text + "\n" + end_of(report);
}

std::string json_of(const LogReport& report) {
    auto classes = nlohmann::ordered_json::array();
    for (const auto& entry : report.classes)
        classes.push_back({{"collective", name_of(entry.shape.collective)},
                           {"ranks", entry.shape.ranks},
                           {"nonblocking", entry.shape.nonblocking},
                           {"block_bytes", entry.block_bytes},
                           {"calls", entry.calls},
                           {"time_s", entry.time_s},
                           {"algorithm", entry.shape.choice},
                           {"why", word_of(entry.shape.why)},
                           {"measured_s", entry.measured_s},
                           {"predicted_s", number(entry.predicted_s)},
                           {"bound_s", number(entry.bound_s)},
                           {"library_s", number(entry.library_s)},
                           {"in_blocks_s", number(entry.in_blocks_s)},
                           {"library_in_blocks_s", number(entry.library_in_blocks_s)},
                           {"runner_up", entry.runner_up},
                           {"runner_up_s", number(entry.runner_up_s)},
                           {"better", entry.better},
                           {"saved_s", number(entry.saved_s)},
                           {"saved_error_s", entry.saved_error_s}});
    const auto saved = saved_of(report);
    const nlohmann::ordered_json all{
        {"ranks", report.run.ranks},      {"time_s", report.run.time_s},
        {"share", report.share},          {"observed_only", report.run.observed_only},
        {"profile", report.run.profile},  {"saved_s", saved.time_s},
        {"saved_error_s", saved.error_s}, {"unknown_calls", saved.unknown_calls},
        {"classes", std::move(classes)}};
    return all.dump(2) + "\n";
}

} // namespace alltold::preload
