// SPDX-License-Identifier: BSD-3-Clause
// alltold show: one algorithm's schedule as text, JSON or a space-time diagram.
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command_output.hpp"
#include "cli/input_files.hpp"
#include "cli/schedule_call.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "report/trace_report.hpp"
#include "schedule/timeline.hpp"

namespace alltold::cli {
namespace {

/// One call and its schedules.
struct ScheduleView {
    std::string name;
    const Specification& specification;
    const Clusters& clusters;
    const Parameters& parameters;
    std::span<const Schedule> schedules;
    std::span<const Message> messages;
};

using Json = nlohmann::ordered_json;

Json json_of(const Region& region) {
    return {{"buffer", name_of(region.buffer)},
            {"offset_bytes", region.offset_bytes},
            {"size_bytes", region.size_bytes}};
}

Json json_of(const Operation& operation, std::span<const std::int32_t> after) {
    Json json{{"kind", name_of(operation.kind)}};
    if (operation.is_message()) {
        json["peer"] = operation.peer;
        json["tag"] = operation.tag;
    }
    if (operation.synchronous)
        json["synchronous"] = true;
    if (operation.region.size_bytes > 0)
        json["region"] = json_of(operation.region);
    if (operation.is_local())
        json["target"] = json_of(operation.target);
    if (operation.rows > 1) {
        json["rows"] = operation.rows;
        json["region_stride_bytes"] = operation.region_stride_bytes;
        json["target_stride_bytes"] = operation.target_stride_bytes;
    }
    json["after"] = std::vector<int>(after.begin(), after.end());
    return json;
}

bool crosses(const ScheduleView& view, const Message& message) {
    return view.clusters.cluster_of(message.source) !=
           view.clusters.cluster_of(message.destination);
}

long inter_host_messages(const ScheduleView& view) {
    return std::count_if(view.messages.begin(), view.messages.end(), [&](const Message& message) {
        return view.clusters.host_of(message.source) != view.clusters.host_of(message.destination);
    });
}

long inter_cluster_messages(const ScheduleView& view) {
    return std::ranges::count_if(view.messages,
                                 [&](const Message& message) { return crosses(view, message); });
}

int steps(const ScheduleView& view) {
    return view.messages.empty() ? 0 : view.messages.back().step;
}

/// "alltoall.lg, 3+7 ranks, 64 KiB per block"
std::string title_of(const ScheduleView& view) {
    const auto& spec = view.specification;
    auto title = fmt::format("{}, {} ranks", view.name, view.clusters.text());
    if (traits_of(spec.collective()).has_data)
        title += fmt::format(", {} per block", format_size(spec.size_bytes()));
    if (spec.root() != 0)
        title += fmt::format(", root {}", spec.root());
    if (view.parameters.segment_bytes != 0)
        title += fmt::format(", segments of {}", format_size(view.parameters.segment_bytes));
    if (view.parameters.window != 0)
        title += fmt::format(", window {}", view.parameters.window);
    if (view.parameters.inter_cluster_window != 0)
        title += fmt::format(", inter-cluster window {}", view.parameters.inter_cluster_window);
    return title;
}

/// The messages by step, then each rank's operations with the ones they are after.
std::string text_of(const ScheduleView& view) {
    std::string text = fmt::format("{}: {} messages", title_of(view), view.messages.size());
    auto out = std::back_inserter(text);
    if (!view.clusters.one_rank_per_host())
        fmt::format_to(out, ", {} of them between hosts", inter_host_messages(view));
    if (view.clusters.count() > 1)
        fmt::format_to(out, ", {} of them between clusters (=>)", inter_cluster_messages(view));
    fmt::format_to(out, ", {} steps\n", steps(view));
    int step = 0;
    for (const auto& message : view.messages) {
        if (message.step != step)
            fmt::format_to(out, "step {}\n", step = message.step);
        fmt::format_to(out, "  {:>4} {} {:<4}", message.source,
                       crosses(view, message) ? "=>" : "->", message.destination);
        if (message.size_bytes == 0)
            fmt::format_to(out, " {:>10}\n", "signal");
        else
            fmt::format_to(out, " {:>10}  {}\n", format_size(message.size_bytes), message.blocks);
    }
    for (std::size_t rank = 0; rank < view.schedules.size(); ++rank) {
        const auto& schedule = view.schedules[rank];
        fmt::format_to(out, "rank {}: {} operations, {} of scratch memory\n", rank, schedule.size(),
                       format_size(schedule.scratch_bytes()));
        for (int i = 0; i < schedule.size(); ++i) {
            fmt::format_to(out, "  {:>4}  {}", i, text_of(schedule[i]));
            if (!schedule.after(i).empty())
                fmt::format_to(out, ", after {}", fmt::join(schedule.after(i), " "));
            text += '\n';
        }
    }
    return text;
}

std::string json_of(const ScheduleView& view) {
    const auto& spec = view.specification;
    Json json{{"algorithm", view.name},
              {"clusters", view.clusters.text()},
              {"ranks", spec.ranks()},
              {"root", spec.root()},
              {"size_bytes", spec.size_bytes()},
              {"segment_bytes", view.parameters.segment_bytes},
              {"window", view.parameters.window},
              {"inter_cluster_window", view.parameters.inter_cluster_window},
              {"steps", steps(view)},
              {"inter_cluster_messages", inter_cluster_messages(view)}};
    auto& messages = json["messages"] = Json::array();
    for (const auto& message : view.messages)
        messages.push_back({{"step", message.step},
                            {"source", message.source},
                            {"destination", message.destination},
                            {"size_bytes", message.size_bytes},
                            {"inter_cluster", crosses(view, message)},
                            {"blocks", message.blocks}});
    auto& ranks = json["schedules"] = Json::array();
    for (const auto& schedule : view.schedules) {
        Json operations = Json::array();
        for (int i = 0; i < schedule.size(); ++i)
            operations.push_back(json_of(schedule[i], schedule.after(i)));
        ranks.push_back(
            {{"scratch_bytes", schedule.scratch_bytes()}, {"operations", std::move(operations)}});
    }
    return json.dump(2) + "\n";
}

struct ShowTraceArguments {
    std::string file, profile;           ///< without a profile nothing is simulated
    std::string algorithm;               ///< of the call to draw; empty: the first
    std::optional<std::string> svg_file; ///< draw, instead of text; empty: to standard output
};

/// Writes a picture to a file, or to standard output if the name is empty.
Status write_svg(const std::string& file, const std::string& svg) {
    if (file.empty() || file == "-") {
        fmt::print("{}", svg);
        return Done{};
    }
    ALLTOLD_TRY_DONE(replace_text_file(file, svg, {"an SVG picture", "<svg"}));
    say(fmt::format("wrote {}\n", file));
    return Done{};
}

constexpr std::size_t most_drawn_messages = 50'000;

Result<ExitStatus> show_one(const CallTrace& trace, const Profile* profile,
                            const ShowTraceArguments& asked) {
    Result<std::optional<simulate::Times>> simulated = std::optional<simulate::Times>();
    if (profile)
        simulated = simulate_trace(trace, profile->network);
    ALLTOLD_TRY(times, in_context(asked.profile, simulated));
    const auto* known = *times ? &**times : nullptr;
    ALLTOLD_TRY(messages, in_context(asked.file, messages_of(trace, known)));
    if (!asked.svg_file) {
        fmt::print("{}\n", trace_text(trace, *messages, known));
        return ExitStatus::done;
    }
    if (messages->size() > most_drawn_messages)
        return bad_input(fmt::format("{}: {} messages are too many to draw; the most are {}",
                                     asked.file, messages->size(), most_drawn_messages));
    ALLTOLD_TRY_DONE(write_svg(*asked.svg_file, trace_svg(trace, *messages, known)));
    return ExitStatus::done;
}

/// Prints every call of the file, or draws one.
Result<ExitStatus> show_trace(const ShowTraceArguments& asked) {
    ALLTOLD_TRY(traces, load_traces(asked.file));
    ALLTOLD_TRY(profile, profile_if_named(asked.profile));
    if (!asked.algorithm.empty())
        std::erase_if(*traces, [&](const CallTrace& trace) {
            return algorithm_name(*parse_choice(trace.algorithm)) != asked.algorithm;
        });
    if (traces->empty())
        return bad_input(fmt::format("{}: has no call of {}", asked.file,
                                     asked.algorithm.empty() ? "any algorithm" : asked.algorithm));
    if (asked.svg_file)
        traces->resize(1, traces->front());
    for (const auto& trace : *traces)
        ALLTOLD_TRY_DONE(show_one(trace, *profile ? &**profile : nullptr, asked));
    return ExitStatus::done;
}

struct ShowArguments {
    ScheduleCallText call;
    std::string svg_file, trace;
    bool json = false, svg = false;
};

Result<ExitStatus> show(const ShowArguments& asked) {
    if (!asked.trace.empty())
        return show_trace({asked.trace, asked.call.profile, asked.call.name,
                           asked.svg ? std::optional(asked.svg_file) : std::nullopt});
    if (asked.call.name.empty())
        return bad_input("show: algorithm is required; " + see_help("show"));
    ALLTOLD_TRY(call, schedule_call(asked.call, asked.json ? to_show_as_json : to_show));
    const auto messages = timeline(call->specification, call->schedules);
    const ScheduleView view{asked.call.name,  call->specification, call->clusters,
                            call->parameters, call->schedules,     messages};
    if (asked.svg) {
        ALLTOLD_TRY(written, write_svg(asked.svg_file,
                                       space_time_svg(title_of(view), messages, call->clusters)));
    } else {
        fmt::print("{}", asked.json ? json_of(view) : text_of(view));
    }
    return ExitStatus::done;
}

} // namespace

void declare_show(CLI::App& app, Action& chosen) {
    auto& subcommand =
        add_subcommand(app, "show", "Prints an algorithm's schedule, or draws a space-time diagram",
                       "alltold show alltoall.lg --clusters 3+7 --svg lg.svg\n"
                       "  alltold show --trace paced.trace --profile net.json --svg paced.svg");
    subcommand.footer(
        "Prints every message and every rank's operations; --svg draws them. Segments and windows "
        "that are not given are those with which the call runs.");
    const auto asked = std::make_shared<ShowArguments>();
    subcommand.add_option("algorithm", asked->call.name,
                          "algorithm from alltold list; with --trace, the one to show (default: "
                          "all, or the first with --svg)");
    add_schedule_call(subcommand, asked->call,
                      "; with --trace, also simulates the traced calls on it");
    auto* svg = subcommand
                    .add_option("--svg", asked->svg_file,
                                "draw the diagram into this file (no name: to standard output)")
                    ->expected(0, 1);
    auto* trace = subcommand.add_option("--trace", asked->trace,
                                        "show what 'alltold run --trace' recorded: when each rank "
                                        "started and finished; with --svg, every message");
    subcommand.add_flag("--json", asked->json, "print JSON")->excludes(svg)->excludes(trace);
    subcommand.callback([&chosen, asked, svg] {
        asked->svg = svg->count() > 0;
        chosen = [asked] { return show(*asked); };
    });
}

} // namespace alltold::cli
