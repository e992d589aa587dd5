// SPDX-License-Identifier: BSD-3-Clause
// alltold measure: times probes and collectives into a campaign that survives kills.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/measure.hpp"
#include "campaign/probe.hpp"
#include "cli/all_ranks.hpp"
#include "cli/cluster_options.hpp"
#include "cli/collective_options.hpp"
#include "cli/timing_options.hpp"
#include "core/environment.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "report/text_table.hpp"

namespace alltold::cli {
namespace {

constexpr const char* measure_example =
    "mpirun -n 12 --host ... alltold measure net.db --budget 60s\n"
    "  alltold lab --clusters 6+6 -- mpirun -n 12 alltold measure net.db";

struct MeasureArguments {
    std::string campaign = "net.db", only, ranks, collectives, algorithms;
    std::vector<std::uint64_t> sizes_bytes;
    double budget_s = 90;
    StartMode start_mode = StartMode::silence;
    ClusterRequest clusters;
    int repetitions = 0;
    std::uint64_t seed = 1;
    bool json = false, no_floods = false, rough = false;
};

/// The words of a list, which may be empty.
std::vector<std::string> words(const std::string& text) {
    if (text.empty())
        return {};
    const auto all = split_at(text, ',');
    return std::vector<std::string>(all.begin(), all.end());
}

void print_sample(const Point& point, const campaign::Observation& sample) {
    nlohmann::ordered_json line{{"probe", point.probe},
                                {"algorithm", point.algorithm},
                                {"clusters", point.clusters.text()},
                                {"size_bytes", point.size_bytes},
                                {"first_rank", point.first_rank},
                                {"second_rank", point.second_rank},
                                {"count", point.count},
                                {"repetition", sample.repetition},
                                {"time_s", sample.value},
                                {"warmup", sample.warm_up}};
    if (sample.retransmitted)
        line["retransmitted"] = *sample.retransmitted;
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
}

Result<campaign::MeasureOptions> options_of(const MeasureArguments& asked) {
    campaign::MeasureOptions options;
    if (collective_named(asked.campaign))
        return bad_input(fmt::format("{0}: is a collective, which --collective {0} names; the "
                                     "argument is the campaign, such as net.db",
                                     asked.campaign));
    options.store = asked.campaign;
    options.seed = asked.seed;
    options.request.only = words(asked.only);
    options.request.floods = !asked.no_floods;
    options.budget_s = asked.budget_s;
    options.start_mode = asked.start_mode;
    ALLTOLD_TRY_INTO(options.request.sizes_bytes, sizes_to_time(asked.sizes_bytes));
    if (!asked.ranks.empty())
        ALLTOLD_TRY_INTO(options.request.subsets,
                         in_context("-n", campaign::parse_subsets(asked.ranks)));
    options.request.collectives = words(asked.collectives);
    options.request.algorithms = words(asked.algorithms);
    options.clusters = asked.clusters;
    options.rough = options.request.rough = asked.rough;
    if (asked.rough)
        options.goal = campaign::rough_calibration().goal;
    if (asked.repetitions > 0) {
        options.goal = {};
        options.goal.exactly = asked.repetitions;
    }
    if (asked.json)
        options.on_sample = print_sample;
    return options;
}

/// The help text of --only, made from the table of probe kinds.
std::string only_text() {
    std::vector<std::string> lines;
    for (const auto& kind : campaign::kinds())
        lines.push_back(fmt::format("{} ({})", kind.name, kind.help));
    return fmt::format("one or more of these, separated by commas: {} (default: all)",
                       fmt::join(lines, ", "));
}

/// Why points stopped, with counts, and which points were never measured.
std::string stops(const campaign::MeasureReport& report, const campaign::Goal& goal) {
    std::map<std::string, int> reasons;
    std::vector<std::string> unmeasured;
    for (const auto& progress : report.points) {
        const bool cut = report.interrupted && progress.why == campaign::Why::active;
        ++reasons[cut ? "interrupted" : campaign::describe(progress.why, goal)];
        if (progress.times_s.empty())
            unmeasured.push_back(campaign::describe(progress.point));
    }
    std::string text;
    for (const auto& [reason, count] : reasons)
        text += fmt::format("  {:4} points: {}\n", count, reason);
    constexpr std::size_t most_named = 8;
    for (std::size_t i = 0; i < std::min(unmeasured.size(), most_named); ++i)
        text += fmt::format("  never measured: {}\n", unmeasured[i]);
    if (unmeasured.size() > most_named)
        text += fmt::format("  never measured: {} more\n", unmeasured.size() - most_named);
    return text;
}

std::string summary(const campaign::MeasureReport& report,
                    const campaign::MeasureOptions& options) {
    auto text = fmt::format("{}: {} samples taken in {}, seed {}\n", options.store.string(),
                            report.samples, format_time(report.elapsed_s), options.seed);
    text += stops(report, options.goal);
    const auto add = [&](const std::string& note) { text += wrapped("  " + note, 4); };
    add(fmt::format("clusters {}: {}", report.provenance.clusters.text(),
                    report.provenance.clusters_from));
    add(fmt::format("clocks: {}", report.clocks.text()));
    if (report.late > 0)
        add(fmt::format("{} repetitions were invalid and repeated: a rank started up to {} after "
                        "the agreed time; maximum tolerated start skew {}",
                        report.late, format_time(report.worst_late_s),
                        format_time(report.worst_tolerance_s)));
    const auto& hosts = report.provenance.hosts;
    if (std::set(hosts.begin(), hosts.end()).size() == 1)
        add(fmt::format("all {} ranks run on one host, {}: these times involve no network",
                        hosts.size(), hosts.front()));
    if (report.interrupted)
        add("stopped by a signal; run the same command to resume");
    return text;
}

Result<ExitStatus> run_measure(const MeasureArguments& asked) {
    if (!launched_process())
        return bad_input(fmt::format("measure must run under mpirun or srun, for example: {}",
                                     "mpirun -n 12 alltold measure net.db"));
    const auto options = options_of(asked);
    const auto work = [](const mpi::Session& session, const campaign::MeasureOptions& all) {
        return campaign::measure(session, all);
    };
    return on_all_ranks(options, work, [&](const campaign::MeasureReport& report) {
        fmt::print(asked.json ? stderr : stdout, "{}", summary(report, *options));
    });
}

} // namespace

void declare_measure(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<MeasureArguments>();
    auto& subcommand = add_subcommand(
        app, "measure", "Times probes and collectives on this network and stores every sample",
        measure_example);
    subcommand.add_option("campaign", asked->campaign,
                          "file to write; resumes if it exists (default: net.db)");
    add_budget(subcommand, asked->budget_s, "time limit for measuring, such as 60s (default: 90s)");
    subcommand.add_option("--only", asked->only, only_text());
    add_sizes(subcommand, asked->sizes_bytes,
              "message sizes, such as 64KiB or 1KiB,64KiB (default: 1 B to 1 MiB)");
    subcommand.add_option(
        "-n,--ranks", asked->ranks,
        "hosts in each collective with one rank each, such as 4,8,12, or per cluster, such "
        "as 4+4, or hosts x ranks per host, such as 4x3 (default: several)");
    subcommand.add_option("--collective", asked->collectives, collectives_help(papers_collectives));
    subcommand.add_option(
        "--algorithm", asked->algorithms,
        "algorithms separated by commas, each with its parameters, such as "
        "\"mpi,bcast.chain_segmented segment=8KiB\"; all: every alltold algorithm; everything: "
        "the MPI library's too (default: mpi and a few of alltold's)");
    add_clusters(subcommand, asked->clusters);
    add_host_file(subcommand, asked->clusters);
    subcommand
        .add_option("--repetitions", asked->repetitions,
                    "repetitions of each point (default: until the median is known within 5 %)")
        ->check(CLI::Range(1, 100000));
    add_start_mode(subcommand, asked->start_mode, true);
    add_seed(subcommand, asked->seed, "the order of points");
    subcommand.add_flag("--no-floods", asked->no_floods,
                        "skip the UDP bursts (at most 1 s or 16 MiB a host) that measure buffers "
                        "and queues");
    subcommand.add_flag("--rough", asked->rough,
                        "few pairs and sizes, three repetitions: p2p, plogp and links in about "
                        "15 s");
    subcommand.add_flag("--json", asked->json, "print every sample as JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_measure(*asked); }; });
}

} // namespace alltold::cli
