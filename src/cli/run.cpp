// SPDX-License-Identifier: BSD-3-Clause
// alltold run: algorithms beside the MPI library's own, timed in one run, every byte checked.
#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/compare/read_matrix.hpp"
#include "campaign/compare/report.hpp"
#include "cli/cluster_options.hpp"
#include "cli/list_values.hpp"
#include "cli/parameter_options.hpp"
#include "cli/rule_options.hpp"
#include "cli/subcommand.hpp"
#include "cli/timing_options.hpp"
#include "core/units.hpp"
#include "predict/parse.hpp"
#include "runtime/mpi/agree.hpp"
#include "runtime/mpi/session.hpp"
#include "store/json_text.hpp"
#include "store/profile.hpp"

namespace alltold::cli {
namespace {

constexpr const char* example =
    "mpirun -n 12 --host ... alltold run alltoall --algorithm all -m 64KiB\n"
    "  alltold lab --clusters 6+6 -- mpirun -n 12 alltold run alltoall.lg -m 1KiB,64KiB\n"
    "  mpirun -n 12 alltold run alltoallv --matrix skewed -m 64KiB";

struct RunArguments {
    campaign::Wanted wanted;
    std::string rules, sizes, matrix, goodput, profile, budget;
    ClusterText clusters;
    ParameterText parameters;
    std::optional<int> repetitions;
    double keep_within = 0;
    std::string start_mode = "silence";
    std::uint64_t seed = 1;
    bool json = false;
};

Status read_sizes(const RunArguments& asked, campaign::ComparisonRequest& comparison) {
    if (asked.sizes.empty() && !asked.matrix.empty() && !campaign::is_made_matrix(asked.matrix))
        return Done{}; // those in the file
    if (asked.sizes.empty())
        return bad_input("-m is missing: bytes per block, like -m 64KiB or -m 1KiB,64KiB");
    auto sizes = parse_sizes("-m", asked.sizes);
    if (!sizes)
        return sizes.error();
    for (const auto size_bytes : *sizes)
        if (size_bytes > std::uint64_t{1} << 30)
            return bad_input(fmt::format("-m: {} is more than 1GiB", format_size_word(size_bytes)));
    std::sort(sizes->begin(), sizes->end());
    sizes->erase(std::unique(sizes->begin(), sizes->end()), sizes->end());
    comparison.sizes_bytes = std::move(*sizes);
    return Done{};
}

/// What can be said of --matrix without its file.
Status check_matrix(const RunArguments& asked) {
    const bool vectors = asked.wanted.what == name_of(Collective::alltoallv);
    if (vectors && asked.matrix.empty())
        return bad_input("alltoallv needs --matrix: skewed, sparse, random, or a file with a line "
                         "of sizes for each rank");
    if (!vectors && !asked.matrix.empty())
        return bad_input(fmt::format("--matrix: {} has none; leave it out", asked.wanted.what));
    return Done{};
}

/// A budget alone is filled with repetitions; repetitions alone take as long as they take.
Status read_effort(const RunArguments& asked, campaign::ComparisonRequest& comparison) {
    if (!asked.budget.empty()) {
        const auto budget_s = parse_budget(asked.budget);
        if (!budget_s)
            return budget_s.error();
        comparison.budget_s = *budget_s;
    }
    if (asked.repetitions && asked.budget.empty())
        comparison.budget_s = std::numeric_limits<double>::infinity();
    if (asked.repetitions)
        comparison.repetitions = *asked.repetitions;
    else if (!asked.budget.empty())
        comparison.repetitions = 1000000;
    return Done{};
}

Status read_parameters(RunArguments& asked) {
    const auto parameters = parse_parameters(asked.parameters);
    if (!parameters)
        return parameters.error();
    asked.wanted.segment_bytes = parameters->segment_bytes;
    asked.wanted.window = parameters->window;
    return Done{};
}

/// What can be found wrong before MPI starts.
Result<campaign::ComparisonRequest> request_of(RunArguments& asked) {
    campaign::ComparisonRequest comparison;
    comparison.seed = asked.seed;
    comparison.keep_within = asked.keep_within;
    if (auto known = campaign::check_names(asked.wanted); !known)
        return known.error();
    for (const auto& status : {check_matrix(asked), read_sizes(asked, comparison),
                               read_effort(asked, comparison), read_parameters(asked)})
        if (!status)
            return status.error();
    const auto start_mode = parse_start(asked.start_mode);
    if (!start_mode)
        return start_mode.error();
    comparison.start_mode = *start_mode;
    if (!asked.goodput.empty())
        if (auto physics = campaign::find_physics(asked.goodput, ""); !physics)
            return physics.error();
    if (auto request = cluster_wish(asked.clusters); !request)
        return request.error();
    return comparison;
}

/// The user's own rules and the profile's, for auto.
Result<std::vector<std::vector<Rule>>> rules_for(const RunArguments& asked) {
    auto own = parse_rules_flag(asked.rules);
    if (!own)
        return own.error();
    auto profile = asked.profile.empty() ? Result<Profile>(Profile{}) : load_profile(asked.profile);
    if (!profile)
        return profile.error();
    if (own->empty() && profile->rules.empty())
        return bad_input("auto goes by rules; give --rules, or a --profile that has some");
    auto theirs = parse_rules(fmt::format("{}", fmt::join(profile->rules, "\n")), asked.profile);
    if (!theirs)
        return theirs.error();
    return std::vector<std::vector<Rule>>{std::move(*own), std::move(*theirs)};
}

/// What rank 0 alone needs to know: files need to be there for it only.
struct Prepared {
    campaign::Physics physics;
    campaign::Lineup lineup;
};
Result<Prepared> prepare(const RunArguments& asked, const Clusters& clusters) {
    auto wanted = asked.wanted;
    auto physics = campaign::find_physics(asked.goodput, asked.profile);
    if (!physics)
        return physics.error();
    const auto links = campaign::find_links(asked.profile);
    if (!links)
        return links.error();
    if (campaign::names_auto(wanted)) {
        auto rules = rules_for(asked);
        if (!rules)
            return rules.error();
        wanted.rules = std::move(*rules);
    }
    auto lineup = campaign::line_up(wanted, clusters, *links);
    if (!lineup)
        return lineup.error();
    return Prepared{std::move(*physics), std::move(*lineup)};
}

/// Everything from the candidates to the result. All ranks have the same errors.
Result<ExitStatus> run_on(const mpi::Session& session, const RunArguments& asked,
                          campaign::ComparisonRequest comparison) {
    const auto clusters = cluster_wish(asked.clusters);
    if (!clusters)
        return clusters.error();
    const auto arrangement = campaign::arrange(session.world(), *clusters);
    if (!arrangement)
        return arrangement.error();
    const auto& world = arrangement->ranks;
    Result<Prepared> prepared = Prepared{};
    if (world.rank() == 0)
        prepared = prepare(asked, arrangement->clusters);
    if (auto agreed = mpi::agree(world, prepared ? Status(Done{}) : prepared.error()); !agreed)
        return agreed.error();
    comparison.clusters = arrangement->clusters;
    comparison.clusters_from = arrangement->how;
    comparison.collective = prepared->lineup.collective;
    comparison.root = prepared->lineup.root;
    comparison.entrants = prepared->lineup.entrants;
    if (!asked.matrix.empty()) {
        comparison.collective = Collective::alltoallv;
        if (auto read = campaign::read_matrix(asked.matrix, world, comparison); !read)
            return read.error();
    }
    const auto outcome = campaign::compare(*arrangement, comparison);
    if (!outcome)
        return outcome.error();
    if (*outcome) {
        const campaign::ComparisonReport report{comparison, **outcome, prepared->physics,
                                                prepared->lineup.left_out};
        fmt::print("{}", asked.json ? json_text(json_of(report)) : text_of(report));
    }
    return ExitStatus::done;
}

Result<ExitStatus> run_run(RunArguments& asked) {
    const auto comparison = request_of(asked);
    if (!mpi::Session::launched())
        return comparison
                   ? bad_input("run runs under mpirun or srun, like: mpirun -n 12 alltold run "
                               "alltoall --algorithm all -m 64KiB")
                   : comparison.error();
    const auto session = mpi::Session::open();
    if (!session)
        return session.error();
    // All ranks read the same command line and fail alike; one of them says why.
    const auto status = comparison ? run_on(*session, asked, *comparison) : comparison.error();
    return status ? *status : said(status.error(), session->world().rank());
}

} // namespace

void declare_run(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<RunArguments>();
    auto& subcommand =
        add_subcommand(app, "run",
                       "Algorithms beside the MPI library's own: timed in one shuffled run from "
                       "agreed instants, every byte of every repetition checked",
                       example);
    subcommand
        .add_option("collective", asked->wanted.what,
                    "bcast, scatter, gather, alltoall, alltoallv, or one algorithm: alltoall.lg")
        ->required();
    subcommand.add_option(
        "--algorithm", asked->wanted.algorithms,
        "all of ours, everything (the MPI library's own algorithms too), auto (what the "
        "profile's rules choose), or names with "
        "commas, each with what it takes: \"alltoall.rotated window=8,mpi.pairwise\" (all)");
    subcommand.add_option("-m", asked->sizes, "bytes per block: 64KiB, or 1KiB,64KiB");
    subcommand.add_option(
        "--matrix", asked->matrix,
        "of alltoallv, in units of -m: skewed (one rank 10 times the rest), sparse "
        "(80 % zeros), random (up to 2), all by --seed; or a file with a line of sizes "
        "for each rank, whose largest is -m (as it stands)");
    subcommand.add_option("--root", asked->wanted.root, "of bcast, scatter and gather (0)");
    subcommand.add_option("--segment", asked->parameters.segment,
                          "largest message where one is taken (8KiB)");
    subcommand.add_option("--window", asked->parameters.window,
                          "messages in flight where it is taken (found from the profile's or the "
                          "lab's links; else 4, for gathers 64 KiB of blocks, 256 KiB across)");
    add_clusters(subcommand, asked->clusters);
    add_host_file(subcommand, asked->clusters);
    subcommand
        .add_option("--repetitions", asked->repetitions, "of each algorithm at each size (30)")
        ->check(CLI::Range(1, 1000000));
    subcommand.add_option("--budget", asked->budget,
                          "how long to repeat, like 60s (60s, or as long as --repetitions take)");
    subcommand
        .add_option("--keep-within", asked->keep_within,
                    "who takes over so many times what the quickest does is not timed again, but "
                    "for mpi and auto, like 1.5 (all are timed to the end)")
        ->check(CLI::Range(1., 1e6));
    subcommand.add_option(
        "--start", asked->start_mode,
        "what each repetition follows: silence, barrier or back-to-back (silence)");
    subcommand.add_option("--seed", asked->seed, "of the order (1)");
    subcommand.add_option("--goodput", asked->goodput,
                          "payload rate of each host, for time/bound (the lab's)");
    subcommand.add_option("--profile", asked->profile, "the same from a profile: 1/beta");
    subcommand.add_option("--rules", asked->rules,
                          "for auto, asked before the profile's: a file, or rules themselves");
    subcommand.add_flag("--without-mpi", asked->wanted.without_mpi,
                        "leave the MPI library's own out");
    subcommand.add_flag("--json", asked->json, "print JSON, with every single time");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_run(*asked); }; });
}

} // namespace alltold::cli
