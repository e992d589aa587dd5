// SPDX-License-Identifier: BSD-3-Clause
// The rows with the greatest gains, then sentences.
#include "campaign/study/verdict.hpp"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"

namespace alltold::campaign {
namespace {

/// The library's time, and what is gained over it.
std::string second_text(const ChosenCall& call) {
    if (!call.second)
        return "-";
    const auto time = format_time(call.second->library_s.value);
    return fmt::format("{} ({})", time, gain_text(call.algorithm, call.second));
}

/// Explains the columns.
std::string legend_text(std::span<const ChosenCall> choices, StartMode second) {
    std::string text = "m: bytes per block. Times: measured medians";
    if (std::ranges::any_of(choices, [](const ChosenCall& call) { return !call.timed; }))
        text += ", unless marked predicted";
    text += ". x bound: time over the least time in which the links can carry the bytes. tie: less "
            "than 3 % apart.";
    if (std::ranges::any_of(choices,
                            [](const ChosenCall& call) { return call.second.has_value(); }))
        text += fmt::format(" Last column: the MPI library after a {}, and how many times as fast "
                            "the chosen algorithm is there.",
                            name_of(second));
    return wrapped(text);
}

/// The calls that get no row.
std::string elsewhere_text(std::span<const ChosenCall> choices) {
    std::vector<std::string> collectives;
    std::string last;
    for (const auto& call : choices) {
        if (gains(call))
            continue;
        const auto size = format_size(call.size_bytes);
        if (call.name() == last)
            collectives.back() += ", " + size;
        else
            collectives.push_back(call.name() + " of " + size);
        last = call.name();
    }
    return collectives.empty()
               ? ""
               : wrapped(fmt::format("The MPI library's own choice runs, or is as fast, for: {}.",
                                     fmt::join(collectives, "; ")));
}

/// The calls for which one of ours runs after the other start alone.
std::string second_start_text(std::span<const ChosenCall> choices, StartMode second) {
    std::vector<std::string> faster;
    for (const auto& call : choices)
        if (call.gains_from_second())
            faster.push_back(fmt::format(
                "{} of {} ({}, {})", call.name(), format_size(call.size_bytes),
                short_name(call.second_algorithm), gain_text(call.second_algorithm, call.second)));
    return faster.empty()
               ? ""
               : wrapped(fmt::format("After a {}, alltold's algorithms are faster and run for: {}.",
                                     name_of(second), fmt::join(faster, "; ")));
}

/// Each collective at the size at which one of ours is expected to gain most in loops.
std::string loops_text(std::span<const ChosenCall> choices) {
    std::vector<const ChosenCall*> best;
    for (const auto& call : choices) {
        if (call.loop_algorithm.empty())
            continue;
        if (best.empty() || best.back()->collective != call.collective)
            best.push_back(&call);
        else if (call.loop_gain > best.back()->loop_gain)
            best.back() = &call;
    }
    std::vector<std::string> gains;
    for (const auto* call : best)
        gains.push_back(fmt::format("{} up to {}x ({}, {})", call->name(),
                                    format_ratio(call->loop_gain), short_name(call->loop_algorithm),
                                    format_size(call->size_bytes)));
    return gains.empty() ? ""
                         : wrapped(fmt::format("In loops, programs try what is expected to be "
                                               "faster: {}.",
                                               fmt::join(gains, "; ")));
}

/// Without its collective, which the table names.
std::string with_parameters(const std::string& algorithm) {
    const auto choice = parse_choice(algorithm);
    return choice ? short_text(*choice) : algorithm;
}

std::vector<ChosenCall> with_greatest_gains(std::vector<ChosenCall> calls, std::size_t most) {
    if (calls.size() <= most)
        return calls;
    const auto gain = [](const ChosenCall& call) {
        return std::max(call.timed ? call.timed->gain() : 0, call.second ? call.second->gain() : 0);
    };
    std::vector<double> gains_of_all;
    std::ranges::transform(calls, std::back_inserter(gains_of_all), gain);
    std::ranges::sort(gains_of_all, std::greater());
    const double least = gains_of_all[most - 1];
    auto equals = std::ranges::count(
        gains_of_all.begin(), gains_of_all.begin() + static_cast<std::ptrdiff_t>(most), least);
    std::erase_if(calls, [&](const ChosenCall& call) {
        return gain(call) < least || (gain(call) == least && equals-- <= 0);
    });
    return calls;
}

} // namespace

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string short_name(const std::string& algorithm) {
    const auto choice = parse_choice(algorithm);
    if (!choice || !choice->algorithm)
        return algorithm;
    const auto name = choice->algorithm->name;
    return std::string(name.substr(name.find('.') + 1));
}

std::string losses_text(std::span<const ChosenCall> choices, std::size_t most) {
    std::string text;
    std::size_t losses = 0;
    for (const auto& call : choices) {
        if (!call.loses() || ++losses > most)
            continue;
        const auto other = call.second ? fmt::format(", and at {}x from the other start",
                                                     format_ratio(call.second->gain()))
                                       : "";
        text += wrapped(
            fmt::format("note: the rules choose {} for {} of {}, but it was measured at {}x "
                        "the library's speed{}",
                        with_parameters(call.algorithm), call.name(), format_size(call.size_bytes),
                        format_ratio(call.timed->gain()), other),
            2);
    }
    return losses > most
               ? text + fmt::format("note: the same of {} more calls: --verbose\n", losses - most)
               : text;
}

bool gains(const ChosenCall& call) {
    const auto faster = [](const std::optional<ChosenTimes>& times) {
        return times && times->faster();
    };
    return call.algorithm != "mpi" && !call.loses() &&
           (!call.timed || faster(call.timed) || faster(call.second));
}

std::string verdict_table(std::span<const ChosenCall> choices, StartMode start_mode,
                          std::optional<std::size_t> most_lines) {
    constexpr std::size_t heading_lines = 2, fewest_rows = 3, most_losses = 2;
    TextTable table;
    table.column("call", TextTable::Align::left);
    table.column("m");
    table.column("run", TextTable::Align::left);
    table.columns({"time", "MPI library", "faster", "x bound"});
    const auto second = second_start(start_mode);
    table.column(fmt::format("MPI after {}", name_of(second)));
    std::vector<ChosenCall> rows;
    std::ranges::copy_if(choices, std::back_inserter(rows),
                         [&](const ChosenCall& call) { return !most_lines || gains(call); });
    const auto without_rows = (most_lines ? elsewhere_text(choices) : "") +
                              second_start_text(choices, second) + loops_text(choices) +
                              losses_text(choices, most_lines ? most_losses : choices.size());
    const auto below = legend_text(rows, second) + without_rows;
    const auto others = heading_lines + lines_of(below);
    const auto all = rows.size();
    if (most_lines && others + all > *most_lines)
        rows = with_greatest_gains(
            std::move(rows),
            std::max(*most_lines - std::min(*most_lines, others + 1), fewest_rows));
    for (const auto& call : rows)
        table.row({call.name(), format_size(call.size_bytes),
                   call.loses() ? "mpi"
                   : most_lines ? short_name(call.algorithm)
                                : with_parameters(call.algorithm),
                   time_text(call), library_time_text(call), gain_text(call), over_bound_text(call),
                   second_text(call)});
    if (rows.empty())
        return without_rows;
    const auto more =
        all > rows.size() ? fmt::format("and {} more: --verbose\n", all - rows.size()) : "";
    return table.text() + more + below;
}

} // namespace alltold::campaign
