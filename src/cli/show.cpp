// SPDX-License-Identifier: BSD-3-Clause
// alltold show: one algorithm's schedule as text, JSON or a space-time diagram.
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/command_name.hpp"
#include "cli/schedule_call.hpp"
#include "cli/schedule_text.hpp"
#include "cli/show_trace.hpp"
#include "cli/subcommand.hpp"
#include "schedule/space_time.hpp"

namespace alltold::cli {
namespace {

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
    const auto call = schedule_call(asked.call, asked.json ? to_show_as_json : to_show);
    if (!call)
        return call.error();
    const auto messages = timeline(call->specification, call->schedules);
    const ScheduleView view{asked.call.name,  call->specification, call->clusters,
                            call->parameters, call->schedules,     messages};
    if (asked.svg) {
        const auto written =
            write_svg(asked.svg_file, space_time_svg(title_of(view), messages, call->clusters));
        if (!written)
            return written.error();
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
        "Prints every message and every rank's operations; --svg draws them. Segments "
        "and windows that are not given are those with which the call runs.");
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
    auto* trace = subcommand.add_option(
        "--trace", asked->trace,
        "show what 'alltold run --trace' recorded: when each rank started and finished; with "
        "--svg, every message");
    subcommand.add_flag("--json", asked->json, "print JSON")->excludes(svg)->excludes(trace);
    subcommand.callback([&chosen, asked, svg] {
        asked->svg = svg->count() > 0;
        chosen = [asked] { return show(*asked); };
    });
}

} // namespace alltold::cli
