// SPDX-License-Identifier: BSD-3-Clause
// alltold tune: makes rules from models and from benchmarks of statistically tied candidates.
#include <fmt/format.h>

#include "campaign/plan.hpp"
#include "campaign/tune.hpp"
#include "cli/all_ranks.hpp"
#include "cli/cluster_options.hpp"
#include "cli/collective_options.hpp"
#include "cli/command_output.hpp"
#include "cli/input_files.hpp"
#include "cli/timing_options.hpp"
#include "core/environment.hpp"
#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "report/format.hpp"
#include "report/next_command.hpp"
#include "report/text_table.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

constexpr const char* tune_example =
    "mpirun -n 12 --host ... alltold tune net.db -o profile.json --budget 60s";

struct TuneArguments {
    std::string campaign = "net.db", profile, ranks;
    std::vector<std::uint64_t> sizes_bytes;
    std::vector<Collective> collectives;
    double budget_s = 60;
    StartMode start_mode = StartMode::silence;
    ClusterRequest clusters;
    std::uint64_t seed = 1;
    bool json = false;
};

Status read_request(const TuneArguments& asked, TuneRequest& request) {
    ALLTOLD_TRY(sizes_bytes, sizes_to_time(asked.sizes_bytes));
    request.sizes_bytes = std::move(*sizes_bytes);
    if (!asked.ranks.empty())
        ALLTOLD_TRY_INTO(request.subsets, in_context("-n", campaign::parse_subsets(asked.ranks)));
    request.collectives = asked.collectives;
    if (!request.sizes_bytes.empty() && !request.collectives.empty())
        return takes_sizes(request.collectives);
    return Done{};
}

Result<campaign::TuneOptions> options_of(const TuneArguments& asked) {
    campaign::TuneOptions options;
    options.seed = asked.seed;
    if (asked.profile.empty())
        return bad_input("-o is missing: the profile to write, such as net.json");
    ALLTOLD_TRY_INTO(options.store, campaign_path(asked.campaign));
    ALLTOLD_TRY(profile, profile_path(asked.profile));
    options.profile = *profile;
    options.budget_s = asked.budget_s;
    options.start_mode = asked.start_mode;
    ALLTOLD_TRY_DONE(read_request(asked, options.request));
    options.clusters = asked.clusters;
    return options;
}

/// Fewer times than this are no interval.
constexpr std::size_t interval_needs = 3;

/// One row per call: the winner, the MPI library's own, and by how much another may be faster.
std::string table_of(const campaign::TuneReport& report) {
    TextTable table;
    table.columns({"n", "m"});
    table.column("chosen", TextTable::Align::left);
    table.columns({"time", "interval", "mpi's", "timings", "doubt"});
    std::optional<Collective> group;
    for (const auto& call : report.calls) {
        const auto winner = call.elimination.winner();
        if (!winner)
            continue;
        std::size_t timings = 0;
        for (const auto& candidate : call.elimination.candidates())
            timings += candidate.times_s.size();
        const auto time_s = known_s(call.elimination.candidates()[*winner]);
        const auto& library = call.elimination.candidates().front();
        const bool few = call.elimination.candidates()[*winner].times_s.size() < interval_needs;
        if (group != call.probe.collective)
            table.group(std::string(name_of(call.probe.collective)));
        group = call.probe.collective;
        table.row(
            {call.clusters.text(), format_size(call.size_bytes), short_text(call.choices[*winner]),
             format_time(time_s.value), few ? "-" : format_interval(time_s),
             library.times_s.empty() ? "-" : format_time(known_s(library).value),
             std::to_string(timings),
             call.elimination.decided() ? "none" : format_percent(call.elimination.doubt(), 0)});
    }
    return group ? table.text() + "\ndoubt: another algorithm could still be faster by this much\n"
                 : "";
}

std::string text_of(const campaign::TuneReport& report, const campaign::TuneOptions& options) {
    auto text = table_of(report);
    const auto untimed = std::ranges::count_if(
        report.calls, [](const auto& call) { return !call.elimination.winner().has_value(); });
    if (untimed > 0)
        text += fmt::format("{} of {} calls {} not timed; the models choose for {}\n", untimed,
                            report.calls.size(), untimed == 1 ? "was" : "were",
                            untimed == 1 ? "it" : "them");
    text +=
        fmt::format("{} timings in {}{}\n", report.timings, format_time(report.elapsed_s),
                    report.interrupted   ? ", stopped by a signal; run the same command to resume"
                    : report.out_of_time ? ", the whole budget; run the same command to continue"
                                         : "");
    text += fmt::format("wrote {} with {} rules\n", options.profile.string(),
                        report.profile.rules.size());
    if (!report.advice.empty())
        return text + "\nSettings of the MPI library:\n" + report.advice;
    const auto sized = std::ranges::find_if(report.calls.rbegin(), report.calls.rend(),
                                            [](const auto& call) { return call.size_bytes > 0; });
    if (sized != report.calls.rend() &&
        library_named(report.profile.provenance.mpi_library) != MpiLibrary::other) {
        const auto& call = *sized;
        text += fmt::format("Try settings of the MPI library: {}\n",
                            settings_command(command_name(), call.point(0)));
    }
    return text;
}

nlohmann::ordered_json json_of(const campaign::TuneReport& report) {
    auto calls = nlohmann::ordered_json::array();
    for (const auto& call : report.calls) {
        const auto winner = call.elimination.winner();
        auto candidates = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < call.choices.size(); ++i) {
            const auto& candidate = call.elimination.candidates()[i];
            nlohmann::ordered_json row{{"choice", alltold::text_of(call.choices[i])},
                                       {"times_s", candidate.times_s},
                                       {"predicted_s", candidate.predicted_s
                                                           ? to_json(*candidate.predicted_s)
                                                           : nlohmann::ordered_json()}};
            if (!candidate.times_s.empty())
                row["time_s"] = to_json(known_s(candidate));
            candidates.push_back(std::move(row));
        }
        calls.push_back(
            {{"collective", name_of(call.probe.collective)},
             {"clusters", call.clusters.text()},
             {"size_bytes", call.size_bytes},
             {"chosen",
              winner ? nlohmann::ordered_json(alltold::text_of(call.choices[*winner])) : nullptr},
             {"decided", call.elimination.decided()},
             {"candidates", std::move(candidates)}});
    }
    return {{"calls", std::move(calls)},         {"timings", report.timings},
            {"elapsed_s", report.elapsed_s},     {"out_of_time", report.out_of_time},
            {"interrupted", report.interrupted}, {"rules", report.profile.rules}};
}

Result<ExitStatus> run_tune(const TuneArguments& asked) {
    const auto options = options_of(asked);
    if (!launched_process())
        return options ? bad_input("tune must run under mpirun or srun, for example: mpirun -n 12 "
                                   "alltold tune net.db -o net.json")
                       : options.error();
    return on_all_ranks(options, campaign::tune_on, [&](const campaign::TuneReport& report) {
        fmt::print("{}", asked.json ? json_text(json_of(report)) : text_of(report, *options));
    });
}

} // namespace

void declare_tune(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<TuneArguments>();
    auto& subcommand = add_subcommand(
        app, "tune", "Times close candidates and makes the rules that auto follows", tune_example);
    subcommand.footer("Every repetition is stored; run again, it resumes.");
    subcommand.add_option("campaign", asked->campaign,
                          "campaign written by alltold measure (default: net.db)");
    subcommand.add_option("-o,--output", asked->profile, "profile to write, rules included");
    add_budget(subcommand, asked->budget_s,
               "time limit for benchmarks, such as 60s (default: 60s)");
    add_collectives(subcommand, asked->collectives, papers_collectives);
    add_sizes(subcommand, asked->sizes_bytes,
              "bytes per block, such as 64KiB or 1KiB,64KiB (default: 8, 64, 256, 1KiB, 4KiB, "
              "16KiB, 64KiB, 256KiB, 1MiB)");
    subcommand.add_option(
        "-n,--ranks", asked->ranks,
        "hosts in each call with one rank each, such as 4,8,12, or per cluster, such as 4+4, or "
        "hosts x ranks per host, such as 4x3 (default: a third, two thirds and all)");
    add_clusters(subcommand, asked->clusters);
    add_host_file(subcommand, asked->clusters);
    add_start_mode(subcommand, asked->start_mode, true);
    add_seed(subcommand, asked->seed, "the order within rounds");
    subcommand.add_flag("--json", asked->json, "print JSON, with every time");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_tune(*asked); }; });
}

} // namespace alltold::cli
