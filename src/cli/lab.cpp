// SPDX-License-Identifier: BSD-3-Clause
// alltold lab: runs a command on virtual clusters and manages running labs.
#include <fmt/format.h>

#include "cli/lab_options.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "lab/find.hpp"
#include "lab/lab.hpp"
#include "lab/launchers.hpp"
#include "lab/watch.hpp"
#include "report/text_table.hpp"

namespace alltold::cli {
namespace {

struct LabArguments {
    lab::LabOptions lab;
    std::vector<std::string> command;
    bool counters = false, json = false;
    std::string down = "all";
};

Result<ExitStatus> run_lab(const LabArguments& asked) {
    if (const auto objection = lab::launch_objection(asked.command, asked.lab.clusters);
        !objection.empty())
        return bad_input(objection);
    ALLTOLD_TRY(ran, lab::run_in_lab(asked.lab, asked.command));
    if (const auto warning = lab::processor_warning(ran->processors); !warning.empty())
        say(fmt::format("alltold lab: {}\n", warning));
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
        std::string size;
        if (one.clusters) {
            list.back().update({{"clusters", one.clusters->text()},
                                {"hosts", one.clusters->hosts()},
                                {"ranks", one.clusters->ranks()}});
            size = lab::size_text(*one.clusters) + "  ";
        }
        if (!as_json)
            fmt::print("{}", wrapped(fmt::format("{}  up {:.0f} s  {}{}", one.pid, one.age_s, size,
                                                 one.command),
                                     2));
    }
    if (as_json)
        fmt::print("{}\n", list.dump());
    else if (labs.empty())
        fmt::print("no lab is running\n");
    return ExitStatus::done;
}

Result<ExitStatus> print_counters(bool as_json) {
    ALLTOLD_TRY(counters, lab::read_counters());
    fmt::print("{}", as_json ? counters->dump() + "\n" : lab::counters_text(*counters));
    return ExitStatus::done;
}

Result<ExitStatus> take_down(const std::string& which) {
    if (which != "all") {
        const auto pid = parse_size(which);
        if (!pid)
            return bad_input(fmt::format("lab down '{}': expected a process number or all", which));
        ALLTOLD_TRY_DONE(lab::take_down(static_cast<pid_t>(*pid)));
        return ExitStatus::done;
    }
    for (const auto& one : lab::running_labs())
        ALLTOLD_TRY_DONE(lab::take_down(one.pid));
    return ExitStatus::done;
}

} // namespace

void declare_lab(CLI::App& app, Action& chosen) {
    const auto asked = std::make_shared<LabArguments>();
    auto* subcommand = &add_subcommand(
        app, "lab", "Runs a command on virtual hosts with real TCP, queues and packet loss",
        "alltold lab --clusters 6+6 -- mpirun -n 12 ./program");
    add_lab_clusters(*subcommand, asked->lab);
    add_lab_options(*subcommand, asked->lab);
    subcommand->add_option("--truth", asked->lab.truth_file,
                           "write the lab's parameters to this file, as JSON");
    subcommand->add_flag("--counters", asked->counters,
                         "print packets, bytes and drops of each queue at the end");
    subcommand->add_flag("--json", asked->json, "print the counters as one line of JSON");
    subcommand->add_option("command", asked->command, "command to run, after --");
    auto* status =
        &add_subcommand(*subcommand, "status", "Lists running labs", "alltold lab status");
    status->add_flag("--json", asked->json, "print JSON");
    auto* down = &add_subcommand(*subcommand, "down", "Stops one lab or all labs",
                                 "alltold lab down\n  alltold lab down 4711");
    down->add_option("which", asked->down, "process number of the lab, or all")
        ->capture_default_str();
    auto* counters =
        &add_subcommand(*subcommand, "counters",
                        "Prints packets, bytes and drops of each queue so far, inside a lab",
                        "alltold lab -- sh -c 'mpirun -n 12 ./program; alltold lab counters'");
    counters->add_flag("--json", asked->json, "print JSON");
    subcommand->footer("Without a command, starts a shell."); // last: subcommands inherit it
    subcommand->callback([=, &chosen] {
        if (status->parsed())
            chosen = [asked] { return print_status(asked->json); };
        else if (down->parsed())
            chosen = [asked] { return take_down(asked->down); };
        else if (counters->parsed())
            chosen = [asked] { return print_counters(asked->json); };
        else if (auto right = lab::check(asked->lab); !right)
            throw WrongOption(right.error());
        else
            chosen = [asked] { return run_lab(*asked); };
    });
}

} // namespace alltold::cli
