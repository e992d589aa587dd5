// SPDX-License-Identifier: BSD-3-Clause
// alltold show: one algorithm's schedule as text, JSON or a space-time diagram.
#include <bit>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/collective_options.hpp"
#include "cli/command_output.hpp"
#include "cli/input_files.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "predict/parameters/resolve.hpp"
#include "schedule/algorithms/work.hpp"
#include "schedule/timeline.hpp"
#include "store/export/export.hpp"

namespace alltold::cli {
namespace {

/// An algorithm and a call as the user wrote them.
struct ScheduleCallText {
    std::string name, profile; ///< no profile: parameters are found from bytes
    std::optional<Clusters> clusters;
    std::optional<std::uint64_t> size_bytes;
    Parameters parameters;
    std::optional<int> ranks, root;
};

/// A call with all its parameters, and its checked schedules.
struct ScheduleCall {
    std::string name;
    Clusters clusters;
    Specification specification;
    Parameters parameters;
    std::vector<Schedule> schedules;
    std::vector<Message> messages;
};

/// A chain has as many steps, and each looks at all ranks.
constexpr int most_shown_ranks = 10'000;
constexpr double most_named_blocks = 5e6;
constexpr std::uint64_t usual_size_bytes = 64 * 1024;

/// Those given, and the others as they are when the call runs.
Result<Parameters> parameters_of(const ScheduleCallText& asked, const Algorithm& algorithm,
                                 const CollectiveCall& call) {
    ALLTOLD_TRY(profile, profile_if_named(asked.profile));
    ALLTOLD_TRY(choice, resolve(call, *profile ? &(*profile)->network : nullptr,
                                {.choice = Choice{&algorithm, asked.parameters}}));
    return choice->parameters;
}

/// With the parameters that `resolve` finds where none are given. Fails for what the algorithm does
/// not accept, and beyond `limit`.
Result<ScheduleCall> schedule_call(const ScheduleCallText& asked, const WorkLimit& limit) {
    ALLTOLD_TRY(algorithm, find_algorithm(asked.name));
    ALLTOLD_TRY(clusters, asked_clusters(asked.clusters, asked.ranks, 1));
    const bool unsized = !asked.size_bytes && traits_of((*algorithm)->collective).has_data;
    ALLTOLD_TRY(
        size, block_size((*algorithm)->collective, unsized ? usual_size_bytes : asked.size_bytes));
    const int ranks = clusters->ranks();
    if (ranks > most_shown_ranks)
        return bad_input(
            fmt::format("{} ranks are too many to show; the most are {}", ranks, most_shown_ranks));
    ALLTOLD_TRY_DONE(in_context("-m", check_bytes((*algorithm)->collective, ranks, *size)));
    ALLTOLD_TRY(root, given_root((*algorithm)->collective, ranks, asked.root));
    ALLTOLD_TRY(parameters, parameters_of(asked, **algorithm,
                                          {(*algorithm)->collective, *clusters, *size, *root}));
    const auto specification = Specification::of((*algorithm)->collective, ranks, *root, *size);
    ALLTOLD_TRY_DONE(check_work(**algorithm, specification, *parameters, limit));
    // A message of Bruck's names half of all blocks.
    const double named_blocks = 0.5 * ranks * ranks * std::bit_width(static_cast<unsigned>(ranks));
    if ((*algorithm)->collective == Collective::alltoall && named_blocks > most_named_blocks)
        return bad_input(fmt::format("-n: an all-to-all among {} ranks names about {:.2g} blocks, "
                                     "and {:.2g} are the most to show; use fewer ranks",
                                     ranks, named_blocks, most_named_blocks));
    const auto schedules = schedules_of(**algorithm, specification, *parameters);
    if (const auto fault = check(specification, schedules, limits_of(**algorithm, *parameters)))
        return refused(fmt::format("{}: {}", asked.name, fault->text()));
    return ScheduleCall{asked.name,  *clusters, specification,
                        *parameters, schedules, timeline(specification, schedules)};
}

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

bool crosses(const ScheduleCall& call, const Message& message) {
    return call.clusters.cluster_of(message.source) !=
           call.clusters.cluster_of(message.destination);
}

long inter_host_messages(const ScheduleCall& call) {
    return std::count_if(call.messages.begin(), call.messages.end(), [&](const Message& message) {
        return call.clusters.host_of(message.source) != call.clusters.host_of(message.destination);
    });
}

long inter_cluster_messages(const ScheduleCall& call) {
    return std::ranges::count_if(call.messages,
                                 [&](const Message& message) { return crosses(call, message); });
}

int steps(const ScheduleCall& call) {
    return call.messages.empty() ? 0 : call.messages.back().step;
}

/// "alltoall.lg, 3+7 ranks, 64 KiB per block"
std::string title_of(const ScheduleCall& call) {
    const auto& spec = call.specification;
    auto title = fmt::format("{}, {} ranks", call.name, call.clusters.text());
    if (traits_of(spec.collective()).has_data)
        title += fmt::format(", {} per block", format_size(spec.size_bytes()));
    if (spec.root() != 0)
        title += fmt::format(", root {}", spec.root());
    if (call.parameters.segment_bytes != 0)
        title += fmt::format(", segments of {}", format_size(call.parameters.segment_bytes));
    if (call.parameters.window != 0)
        title += fmt::format(", window {}", call.parameters.window);
    if (call.parameters.inter_cluster_window != 0)
        title += fmt::format(", inter-cluster window {}", call.parameters.inter_cluster_window);
    return title;
}

/// The messages by step, then each rank's operations with the ones they are after.
std::string text_of(const ScheduleCall& call) {
    std::string text = fmt::format("{}: {} messages", title_of(call), call.messages.size());
    auto out = std::back_inserter(text);
    if (!call.clusters.one_rank_per_host())
        fmt::format_to(out, ", {} of them between hosts", inter_host_messages(call));
    if (call.clusters.count() > 1)
        fmt::format_to(out, ", {} of them between clusters (=>)", inter_cluster_messages(call));
    fmt::format_to(out, ", {} steps\n", steps(call));
    int step = 0;
    for (const auto& message : call.messages) {
        if (message.step != step)
            fmt::format_to(out, "step {}\n", step = message.step);
        fmt::format_to(out, "  {:>4} {} {:<4}", message.source,
                       crosses(call, message) ? "=>" : "->", message.destination);
        if (message.size_bytes == 0)
            fmt::format_to(out, " {:>10}\n", "signal");
        else
            fmt::format_to(out, " {:>10}  {}\n", format_size(message.size_bytes), message.blocks);
    }
    for (std::size_t rank = 0; rank < call.schedules.size(); ++rank) {
        const auto& schedule = call.schedules[rank];
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

std::string json_of(const ScheduleCall& call) {
    const auto& spec = call.specification;
    Json json{{"algorithm", call.name},
              {"clusters", call.clusters.text()},
              {"ranks", spec.ranks()},
              {"root", spec.root()},
              {"size_bytes", spec.size_bytes()},
              {"segment_bytes", call.parameters.segment_bytes},
              {"window", call.parameters.window},
              {"inter_cluster_window", call.parameters.inter_cluster_window},
              {"steps", steps(call)},
              {"inter_cluster_messages", inter_cluster_messages(call)}};
    auto& messages = json["messages"] = Json::array();
    for (const auto& message : call.messages)
        messages.push_back({{"step", message.step},
                            {"source", message.source},
                            {"destination", message.destination},
                            {"size_bytes", message.size_bytes},
                            {"inter_cluster", crosses(call, message)},
                            {"blocks", message.blocks}});
    auto& ranks = json["schedules"] = Json::array();
    for (const auto& schedule : call.schedules) {
        Json operations = Json::array();
        for (int i = 0; i < schedule.size(); ++i)
            operations.push_back(json_of(schedule[i], schedule.after(i)));
        ranks.push_back(
            {{"scratch_bytes", schedule.scratch_bytes()}, {"operations", std::move(operations)}});
    }
    return json.dump(2) + "\n";
}

void add_call(CLI::App& subcommand, ScheduleCallText& asked) {
    subcommand.add_option("-n,--ranks", asked.ranks, "number of ranks");
    add_clusters_of_call(subcommand, asked.clusters,
                         "hosts per cluster, such as 3+7, or hosts x ranks per host, such as "
                         "6x4+3x8, instead of -n");
    add_size(subcommand, asked.size_bytes,
             fmt::format("bytes per block (default: {}); a barrier has none",
                         format_size_word(usual_size_bytes)));
    subcommand.add_option("--root", asked.root, root_help());
    add_parameters(subcommand, asked.parameters,
                   " (default: found from the profile, else from byte limits)");
    subcommand.add_option("--profile", asked.profile,
                          "profile of the network for which they are found");
}

struct ShowArguments {
    ScheduleCallText call;
    std::string svg, goal; ///< files to write; "-": standard output, empty: not asked for
    bool json = false;
};

Result<ExitStatus> show(const ShowArguments& asked) {
    ALLTOLD_TRY(call, schedule_call(asked.call, asked.json ? to_show_as_json : to_show));
    if (!asked.svg.empty())
        ALLTOLD_TRY_DONE(
            write_output(asked.svg, space_time_svg(title_of(*call), call->messages, call->clusters),
                         {"an SVG picture", "<svg"}));
    else if (!asked.goal.empty())
        ALLTOLD_TRY_DONE(
            write_output(asked.goal, goal_text(call->schedules), {"a GOAL schedule", goal_mark}));
    else
        fmt::print("{}", asked.json ? json_of(*call) : text_of(*call));
    for (const auto& file : {asked.svg, asked.goal})
        if (!file.empty() && file != "-")
            say(fmt::format("wrote {}\n", file));
    return ExitStatus::done;
}

} // namespace

void declare_show(CLI::App& app, Action& chosen) {
    auto& subcommand =
        add_subcommand(app, "show", "Prints an algorithm's schedule, or draws a space-time diagram",
                       "alltold show alltoall.lg --clusters 3+7 --svg lg.svg");
    subcommand.footer(
        "Prints every message and every rank's operations; --svg draws them. Segments and windows "
        "that are not given are those with which the call runs.");
    const auto asked = std::make_shared<ShowArguments>();
    subcommand.add_option("algorithm", asked->call.name, "algorithm from alltold list")->required();
    add_call(subcommand, asked->call);
    auto* svg = subcommand
                    .add_option("--svg", asked->svg,
                                "draw the diagram into this file (no name: to standard output)")
                    ->expected(0, 1);
    auto* goal = subcommand
                     .add_option("--goal", asked->goal,
                                 "write the schedules in GOAL, the language of LogGOPSim, into "
                                 "this file (no name: to standard output)")
                     ->expected(0, 1)
                     ->excludes(svg);
    subcommand.add_flag("--json", asked->json, "print JSON")->excludes(svg)->excludes(goal);
    subcommand.callback([&chosen, asked, svg, goal] {
        for (const auto& [option, file] : {std::pair(svg, &asked->svg), {goal, &asked->goal}})
            if (option->count() > 0 && file->empty())
                *file = "-";
        chosen = [asked] { return show(*asked); };
    });
}

} // namespace alltold::cli
