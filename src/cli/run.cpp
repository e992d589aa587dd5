// SPDX-License-Identifier: BSD-3-Clause
// alltold run: times algorithms and the MPI library's own in one run and checks every byte.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/compare/report.hpp"
#include "cli/cluster_options.hpp"
#include "cli/collective_options.hpp"
#include "cli/input_files.hpp"
#include "cli/timing_options.hpp"
#include "core/environment.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "runtime/mpi/session.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

constexpr const char* run_example =
    "mpirun -n 12 --host ... alltold run alltoall --algorithm all -m 64KiB\n"
    "  alltold lab --clusters 6+6 -- mpirun -n 12 alltold run alltoall.lg -m 1KiB,64KiB\n"
    "  mpirun -n 12 alltold run alltoallv --matrix skewed -m 64KiB";

struct RunArguments {
    campaign::CandidateRequest request;
    std::string rules, matrix, goodput, profile, trace;
    std::vector<std::uint64_t> sizes_bytes;
    double budget_s = 0; ///< 0: not given
    ClusterRequest clusters;
    std::optional<int> repetitions;
    double keep_within = 0;
    StartMode start_mode = StartMode::silence;
    std::string work;
    bool sync = false;
    std::uint64_t seed = 1;
    bool json = false;
};

Status read_sizes(const RunArguments& asked, campaign::ComparisonRequest& comparison) {
    if (asked.sizes_bytes.empty() && !asked.matrix.empty() && !is_generated_matrix(asked.matrix))
        return Done{}; // those in the file
    ALLTOLD_TRY(sizes, block_sizes(*campaign::collective_of(asked.request), asked.sizes_bytes));
    ALLTOLD_TRY_INTO(comparison.sizes_bytes, sizes_to_time(std::move(*sizes)));
    return Done{};
}

/// Checks --matrix without opening its file.
Status check_matrix(const RunArguments& asked) {
    const bool vectors = asked.request.what == name_of(Collective::alltoallv);
    if (vectors && asked.matrix.empty())
        return bad_input(fmt::format("alltoallv needs {}", what_matrix_takes));
    if (!vectors && !asked.matrix.empty())
        return bad_input(fmt::format("--matrix: {} does not take it", asked.request.what));
    return Done{};
}

/// A budget alone is filled with repetitions; repetitions alone take as long as they take.
void set_effort(const RunArguments& asked, campaign::ComparisonRequest& comparison) {
    if (asked.budget_s > 0)
        comparison.budget_s = asked.budget_s;
    else if (asked.repetitions)
        comparison.budget_s = std::numeric_limits<double>::infinity();
    if (asked.repetitions)
        comparison.repetitions = *asked.repetitions;
    else if (asked.budget_s > 0)
        comparison.repetitions = 1000000;
}

Result<campaign::BetweenCalls> parse_between(std::string_view work, bool sync,
                                             StartMode start_mode) {
    campaign::BetweenCalls between;
    between.sync = sync;
    if (start_mode != StartMode::loop && (sync || !work.empty()))
        return bad_input(fmt::format("{}: needs --start loop", sync ? "--sync" : "--work"));
    if (work.empty())
        return between;
    const auto parts = split_at(work, ',');
    between.exponential = parts.size() == 2 && parts.back() == "exponential";
    if (parts.size() > 1 && !between.exponential)
        return bad_input(
            fmt::format("--work: '{}' is not a time such as 3ms or 3ms,exponential", work));
    ALLTOLD_TRY(work_s, in_context("--work", parse_time(parts.front())));
    // A loop has at least four calls, and ranks give up after 300 s without a message.
    constexpr double most_s = 10;
    if (*work_s <= 0 || *work_s > most_s)
        return bad_input("--work: must be greater than zero and at most 10s");
    between.work_s = *work_s;
    return between;
}

/// Checks everything that can be checked before MPI starts.
Result<campaign::ComparisonRequest> request_of(RunArguments& asked) {
    campaign::ComparisonRequest comparison;
    comparison.seed = asked.seed;
    comparison.keep_within = asked.keep_within;
    comparison.trace = !asked.trace.empty();
    ALLTOLD_TRY_DONE(campaign::check_names(asked.request));
    ALLTOLD_TRY_DONE(check_matrix(asked));
    ALLTOLD_TRY_DONE(read_sizes(asked, comparison));
    set_effort(asked, comparison);
    comparison.start_mode = asked.request.start_mode = asked.start_mode;
    ALLTOLD_TRY_INTO(comparison.between, parse_between(asked.work, asked.sync, asked.start_mode));
    if (!asked.goodput.empty())
        ALLTOLD_TRY_DONE(campaign::find_physics(asked.goodput, nullptr, "", Clusters({1})));
    return comparison;
}

/// The user's own rules and those of the profile, which may be null, for auto.
Result<std::vector<std::vector<Rule>>> rules_for(const RunArguments& asked,
                                                 const Profile* profile) {
    ALLTOLD_TRY(own, parse_rules_flag(asked.rules));
    const auto lines = profile ? profile->rules : std::vector<std::string>();
    if (own->empty() && lines.empty())
        return bad_input("auto needs rules; give --rules, or a --profile that has some");
    ALLTOLD_TRY(theirs, parse_rules(fmt::format("{}", fmt::join(lines, "\n")), asked.profile));
    return std::vector<std::vector<Rule>>{std::move(*own), std::move(*theirs)};
}

/// The profile's network, else the lab's as far as its links go; null outside a lab.
Result<std::shared_ptr<const Network>> network_for(const Profile* profile) {
    if (profile)
        return std::make_shared<const Network>(profile->network);
    ALLTOLD_TRY(links, campaign::find_lab_links());
    if (!*links)
        return std::shared_ptr<const Network>();
    Network network;
    network.links = std::move(*links);
    return std::make_shared<const Network>(std::move(network));
}

/// Reads what only rank 0 needs, so that only rank 0 must reach the files.
struct Prepared {
    campaign::Physics physics;
    campaign::CandidateSet candidates;
};

Result<Prepared> prepare(const RunArguments& asked, const Clusters& clusters) {
    if (!asked.trace.empty())
        ALLTOLD_TRY_DONE(may_save_traces(asked.trace));
    ALLTOLD_TRY(profile, profile_if_named(asked.profile));
    const auto* known = *profile ? &**profile : nullptr;
    ALLTOLD_TRY(network, network_for(known));
    ALLTOLD_TRY(physics,
                campaign::find_physics(asked.goodput, network->get(), asked.profile, clusters));
    auto request = asked.request;
    if (campaign::names_auto(request))
        ALLTOLD_TRY_INTO(request.rules, rules_for(asked, known));
    ALLTOLD_TRY(candidates, campaign::select_candidates(request, clusters, *network));
    return Prepared{std::move(*physics), std::move(*candidates)};
}

/// Chooses the candidates, times them and prints the result. All ranks return the same errors.
Result<ExitStatus> run_on(const mpi::Session& session, const RunArguments& asked,
                          campaign::ComparisonRequest comparison) {
    ALLTOLD_TRY(arrangement, campaign::arrange(session.world(), asked.clusters));
    const auto& world = arrangement->ranks;
    Result<Prepared> prepared = Prepared{};
    if (world.rank() == 0)
        prepared = prepare(asked, arrangement->clusters);
    ALLTOLD_TRY_DONE(mpi::agree(world, prepared ? Status(Done{}) : prepared.error()));
    comparison.clusters = arrangement->clusters;
    comparison.clusters_from = arrangement->how;
    comparison.collective = prepared->candidates.collective;
    comparison.root = prepared->candidates.root;
    comparison.candidates = prepared->candidates.candidates;
    if (!asked.matrix.empty()) {
        comparison.collective = Collective::alltoallv;
        ALLTOLD_TRY_DONE(campaign::read_matrix(asked.matrix, world, comparison));
    }
    ALLTOLD_TRY(outcome, campaign::compare(*arrangement, comparison));
    if (*outcome) {
        const campaign::ComparisonReport report{comparison, **outcome, prepared->physics,
                                                prepared->candidates.left_out};
        fmt::print("{}", asked.json ? json_text(json_of(report)) : text_of(report));
        if (comparison.trace)
            ALLTOLD_TRY_DONE(save_traces((*outcome)->traces, asked.trace));
        if ((*outcome)->interrupted)
            return ExitStatus::no;
    }
    return ExitStatus::done;
}

Result<ExitStatus> run_run(RunArguments& asked) {
    const auto comparison = request_of(asked);
    if (!launched_process())
        return comparison ? bad_input("run must run under mpirun or srun, for example: mpirun -n "
                                      "12 alltold run alltoall --algorithm all -m 64KiB")
                          : comparison.error();
    ALLTOLD_TRY(session, mpi::Session::open());
    // All ranks read the same command line and find the same error; rank 0 prints it.
    const auto status = comparison ? run_on(*session, asked, *comparison) : comparison.error();
    return status ? *status : print_on_rank_0(status.error(), session->world().rank());
}

} // namespace

void declare_run(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<RunArguments>();
    auto& subcommand = add_subcommand(
        app, "run", "Times algorithms and the MPI library's own, and checks every byte",
        run_example);
    subcommand.footer("Sizes are timed one after the other, the algorithms at a size in shuffled "
                      "rounds with synchronised starts; every repetition is checked. On several "
                      "clusters the same call runs once, untimed, before each timed one. With "
                      "--start loop a repetition is a loop of calls, and times are per call.");
    subcommand
        .add_option("collective", asked->request.what,
                    listed(all_collectives, "one algorithm, such as alltoall.lg"))
        ->required();
    subcommand.add_option(
        "--algorithm", asked->request.algorithms,
        "algorithms separated by commas, each with its parameters, such as \"alltoall.rotated "
        "window=8,mpi.pairwise\"; all: every alltold algorithm; everything: the MPI library's too; "
        "auto: the one the rules choose (default: all)");
    add_sizes(subcommand, asked->sizes_bytes,
              "bytes per block, such as 64KiB or 1KiB,64KiB; a barrier has none");
    subcommand.add_option(
        "--matrix", asked->matrix,
        "block sizes of an alltoallv, in units of -m: skewed (one rank's blocks are 10 times the "
        "size of the others'), sparse (80 % zeros) or random (0 to 2); or a file with one line of "
        "sizes per rank, scaled so that the largest is -m (default: not scaled)");
    subcommand.add_option("--root", asked->request.root, root_help());
    add_parameters(subcommand, asked->request.parameters,
                   " (default: found from the profile or the lab, else from byte limits)");
    add_clusters(subcommand, asked->clusters);
    add_host_file(subcommand, asked->clusters);
    subcommand
        .add_option("--repetitions", asked->repetitions,
                    "repetitions of each algorithm at each size (default: 30)")
        ->check(CLI::Range(1, 1000000));
    add_budget(subcommand, asked->budget_s,
               "time limit, such as 60s (default: 60s, or none with --repetitions)");
    subcommand
        .add_option("--keep-within", asked->keep_within,
                    "drop algorithms that take more than this many times as long as the fastest, "
                    "such as 1.5; mpi and auto always stay (default: drop none)")
        ->check(CLI::Range(1., 1e6));
    add_start_mode(subcommand, asked->start_mode, false);
    subcommand.add_option("--work", asked->work,
                          "with --start loop: how long each rank computes after each call, such as "
                          "3ms, or 3ms,exponential for times drawn by each rank with that mean");
    subcommand.add_flag(
        "--sync", asked->sync,
        "with --start loop: an allreduce of 8 B by the MPI library follows each call");
    add_seed(subcommand, asked->seed, "the order and of --matrix");
    subcommand.add_option(
        "--goodput", asked->goodput,
        "payload rate of each host, for the bounds (default: from --profile or the lab)");
    subcommand.add_option(
        "--profile", asked->profile,
        "profile with the links, for bounds and windows, and the rules, for auto");
    subcommand.add_option("--rules", asked->rules,
                          "your own rules for auto, which take precedence over the profile's: a "
                          "file, or the rules themselves");
    subcommand.add_option("--trace", asked->trace,
                          "record when each operation of alltold's algorithms started and ended on "
                          "each rank, in five more repetitions of each, and write those of median "
                          "time to this file, for Perfetto");
    subcommand.add_flag("--without-mpi", asked->request.without_mpi,
                        "do not time the MPI library's own collective");
    subcommand.add_flag("--json", asked->json, "print JSON, with every time");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_run(*asked); }; });
}

} // namespace alltold::cli
