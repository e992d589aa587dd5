// SPDX-License-Identifier: BSD-3-Clause
// alltold lab: runs a command on virtual clusters, and looks after labs that run.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/lab_options.hpp"
#include "cli/subcommand.hpp"
#include "core/units.hpp"
#include "lab/counters.hpp"
#include "lab/find.hpp"
#include "lab/lab.hpp"
#include "lab/watch.hpp"

namespace alltold::cli {

namespace {

struct LabArguments {
    LabText lab;
    std::string truth_file;
    std::vector<std::string> command;
    bool counters = false, json = false;
    std::string down = "all";
};

Result<ExitStatus> run_lab(const LabArguments& asked) {
    auto options = lab_options(asked.lab);
    if (!options)
        return options.error();
    options->truth_file = asked.truth_file;
    const auto ran = lab::run_in_lab(*options, asked.command);
    if (!ran)
        return ran.error();
    if (const auto warning = lab::processor_warning(ran->processors); !warning.empty())
        fmt::print(stderr, "alltold lab: {}\n", warning);
    auto counters = ran->counters;
    if (!counters.is_null())
        counters["processors"] = ran->processors;
    if (asked.counters && asked.json)
        fmt::print("{}\n", counters.dump());
    else if (asked.counters && !ran->counters.is_null())
        fmt::print("{}", lab::counters_text(ran->counters));
    return static_cast<ExitStatus>(ran->exit_status);
}

Result<ExitStatus> print_status(bool as_json) {
    const auto labs = lab::running_labs();
    nlohmann::json list = nlohmann::json::array();
    for (const auto& one : labs) {
        list.push_back({{"pid", one.pid}, {"age_s", one.age_s}, {"command", one.command}});
        if (!as_json)
            fmt::print("{}  up {:.0f} s  {}\n", one.pid, one.age_s, one.command);
    }
    if (as_json)
        fmt::print("{}\n", list.dump());
    else if (labs.empty())
        fmt::print("no lab is running\n");
    return ExitStatus::done;
}

Result<ExitStatus> print_counters(bool as_json) {
    const auto counters = lab::read_counters();
    if (!counters)
        return counters.error();
    fmt::print("{}", as_json ? counters->dump() + "\n" : lab::counters_text(*counters));
    return ExitStatus::done;
}

Result<ExitStatus> take_down(const std::string& which) {
    if (which != "all") {
        const auto pid = parse_size(which);
        if (!pid)
            return bad_input(
                fmt::format("lab down '{}': should be a process number or all", which));
        const auto done = lab::take_down(static_cast<pid_t>(*pid));
        return done ? Result<ExitStatus>(ExitStatus::done) : done.error();
    }
    for (const auto& one : lab::running_labs())
        if (const auto done = lab::take_down(one.pid); !done)
            return done.error();
    return ExitStatus::done;
}

} // namespace

void declare_lab(CLI::App& app, Action& chosen) {
    const auto asked = std::make_shared<LabArguments>();
    auto* subcommand =
        &add_subcommand(app, "lab",
                        "Runs a command among virtual hosts with real TCP, queues and loss; "
                        "without a command an interactive shell",
                        "alltold lab --clusters 6+6 -- mpirun -n 12 ./program");
    add_lab_options(*subcommand, asked->lab);
    subcommand->add_option("--truth", asked->truth_file, "write what the lab is built with (JSON)");
    subcommand->add_flag("--counters", asked->counters, "at the end, print what passed each queue");
    subcommand->add_flag("--json", asked->json, "print counters as one line of JSON");
    subcommand->add_option("command", asked->command, "what to run, after --");
    auto* status = subcommand->add_subcommand("status", "List the labs that are running");
    status->add_flag("--json", asked->json, "as JSON");
    auto* down = subcommand->add_subcommand("down", "End a lab, or all");
    down->add_option("which", asked->down, "process number of the lab, or all")
        ->capture_default_str();
    auto* counters =
        subcommand->add_subcommand("counters", "Inside a lab: what has passed each queue so far");
    counters->add_flag("--json", asked->json, "as JSON");
    subcommand->callback([=, &chosen] {
        if (status->parsed())
            chosen = [asked] { return print_status(asked->json); };
        else if (down->parsed())
            chosen = [asked] { return take_down(asked->down); };
        else if (counters->parsed())
            chosen = [asked] { return print_counters(asked->json); };
        else
            chosen = [asked] { return run_lab(*asked); };
    });
}

} // namespace alltold::cli
