// SPDX-License-Identifier: BSD-3-Clause
// alltold run: times algorithms and the MPI library's own in one run and checks every byte.
#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/compare/comparison.hpp"
#include "campaign/compare/read_matrix.hpp"
#include "cli/cluster_options.hpp"
#include "cli/list_values.hpp"
#include "cli/parameter_options.hpp"
#include "cli/rule_options.hpp"
#include "cli/subcommand.hpp"
#include "cli/timing_options.hpp"
#include "core/units.hpp"
#include "predict/parse.hpp"
#include "runtime/mpi/agree.hpp"
#include "runtime/mpi/error.hpp"
#include "store/json_text.hpp"
#include "store/profile.hpp"
#include "store/profile_json.hpp"

namespace alltold::cli {
namespace {

constexpr const char* example =
    "mpirun -n 12 --host ... alltold run alltoall --algorithm all -m 64KiB\n"
    "  alltold lab --clusters 6+6 -- mpirun -n 12 alltold run alltoall.lg -m 1KiB,64KiB\n"
    "  mpirun -n 12 alltold run alltoallv --matrix skewed -m 64KiB";

struct RunArguments {
    compare::CandidateRequest request;
    std::string rules, sizes, matrix, goodput, profile, budget;
    ClusterText clusters;
    ParameterText parameters;
    std::optional<int> repetitions;
    double keep_within = 0;
    std::string start_mode = "silence";
    std::uint64_t seed = 1;
    bool json = false;
};

Status read_sizes(const RunArguments& asked, compare::Contest& contest) {
    if (asked.sizes.empty() && !asked.matrix.empty() && !compare::is_made_matrix(asked.matrix))
        return Done{}; // the sizes are in the file
    if (asked.sizes.empty())
        return bad_input("-m is missing: bytes per block, such as -m 64KiB or -m 1KiB,64KiB");
    auto sizes = parse_sizes("-m", asked.sizes);
    if (!sizes)
        return sizes.error();
    for (const auto size_bytes : *sizes)
        if (size_bytes > std::uint64_t{1} << 30)
            return bad_input(fmt::format("-m: {} is more than 1GiB", format_size_word(size_bytes)));
    std::sort(sizes->begin(), sizes->end());
    sizes->erase(std::unique(sizes->begin(), sizes->end()), sizes->end());
    contest.sizes_bytes = std::move(*sizes);
    return Done{};
}

/// Checks --matrix without opening its file.
Status check_matrix(const RunArguments& asked) {
    const bool vectors = asked.request.what == name_of(Collective::alltoallv);
    if (vectors && asked.matrix.empty())
        return bad_input("alltoallv needs --matrix: skewed, sparse, random, or a file with one "
                         "line of sizes per rank");
    if (!vectors && !asked.matrix.empty())
        return bad_input(fmt::format("--matrix: {} does not take it", asked.request.what));
    return Done{};
}

/// A budget alone allows any number of repetitions; repetitions alone have no time limit.
Status read_effort(const RunArguments& asked, compare::Contest& contest) {
    if (!asked.budget.empty()) {
        const auto budget_s = parse_budget(asked.budget);
        if (!budget_s)
            return budget_s.error();
        contest.budget_s = *budget_s;
    }
    if (asked.repetitions && asked.budget.empty())
        contest.budget_s = std::numeric_limits<double>::infinity();
    if (asked.repetitions)
        contest.repetitions = *asked.repetitions;
    else if (!asked.budget.empty())
        contest.repetitions = 1000000;
    return Done{};
}

Status read_parameters(RunArguments& asked) {
    const auto parameters = parse_parameters(asked.parameters);
    if (!parameters)
        return parameters.error();
    asked.request.segment_bytes = parameters->segment_bytes;
    asked.request.window = parameters->window;
    return Done{};
}

/// Checks everything that can be checked before MPI starts.
Result<compare::Contest> contest_of(RunArguments& asked) {
    compare::Contest contest;
    contest.seed = asked.seed;
    contest.keep_within = asked.keep_within;
    if (auto known = compare::check_names(asked.request); !known)
        return known.error();
    for (const auto& status : {check_matrix(asked), read_sizes(asked, contest),
                               read_effort(asked, contest), read_parameters(asked)})
        if (!status)
            return status.error();
    const auto start_mode = parse_start(asked.start_mode);
    if (!start_mode)
        return start_mode.error();
    contest.start_mode = *start_mode;
    if (!asked.goodput.empty())
        if (auto physics = compare::find_physics(asked.goodput, ""); !physics)
            return physics.error();
    if (auto wish = cluster_wish(asked.clusters); !wish)
        return wish.error();
    return contest;
}

/// The lab's links, as rank 0 knows them, on every rank; null outside a lab. Collective.
Result<std::shared_ptr<const Network>> lab_network(const mpi::Communicator& world) {
    struct {
        bool known = false, several = false;
        Link port, backbone;
    } sent;
    Status read = Done{};
    if (world.rank() == 0) {
        const auto links = compare::find_lab_links();
        if (!links)
            read = links.error();
        else if (*links)
            sent = {true, (*links)->backbone.has_value(), (*links)->port,
                    (*links)->backbone.value_or(Link{})};
    }
    if (auto agreed = mpi::agree(world, read); !agreed)
        return agreed.error();
    if (auto done =
            mpi::check(MPI_Bcast(&sent, sizeof sent, MPI_BYTE, 0, world.handle()), "MPI_Bcast");
        !done)
        return done.error();
    if (!sent.known)
        return std::shared_ptr<const Network>();
    Network network;
    network.links.emplace().port = sent.port;
    if (sent.several)
        network.links->backbone = sent.backbone;
    return std::make_shared<const Network>(std::move(network));
}

/// That of --profile, which rank 0 reads, else the lab's. Collective.
Result<std::shared_ptr<const Network>> shared_network(const mpi::Communicator& world,
                                                      const std::string& name) {
    if (name.empty())
        return lab_network(world);
    std::string text;
    Status read = Done{};
    if (world.rank() == 0) {
        if (const auto profile = load_profile(name))
            text = profile_to_json(*profile).dump();
        else
            read = profile.error();
    }
    if (auto agreed = mpi::agree(world, read); !agreed)
        return agreed.error();
    const auto heard = world.broadcast_text(text);
    if (!heard)
        return heard.error();
    const auto profile = profile_from_json(*heard, name);
    if (!profile)
        return profile.error();
    return std::make_shared<const Network>(profile->network);
}

/// Broadcasts the user's and the profile's rules, for auto. Collective.
Result<std::vector<std::vector<Rule>>> share_rules(const mpi::Communicator& world,
                                                   const RunArguments& asked) {
    std::vector<std::string> texts(2);
    Status read = Done{};
    if (world.rank() == 0) {
        auto own = parse_rules_flag(asked.rules);
        auto profile =
            asked.profile.empty() ? Result<Profile>(Profile{}) : load_profile(asked.profile);
        if (!own || !profile)
            read = own ? profile.error() : own.error();
        else if (own->empty() && profile->rules.empty())
            read = bad_input("auto needs rules; give --rules, or a --profile that has some");
        else
            texts = {text_of(*own), fmt::format("{}", fmt::join(profile->rules, "\n"))};
    }
    if (auto agreed = mpi::agree(world, read); !agreed)
        return agreed.error();
    std::vector<std::vector<Rule>> rules;
    for (const auto& text : texts) {
        const auto received = world.broadcast_text(text);
        if (!received)
            return received.error();
        auto parsed = parse_rules(*received, asked.profile);
        if (!parsed)
            return parsed.error();
        rules.push_back(std::move(*parsed));
    }
    return rules;
}

/// Everything from the candidates to the result. All ranks have the same errors.
Result<ExitStatus> play(const mpi::Session& session, const RunArguments& asked,
                        compare::Contest contest) {
    auto request = asked.request;
    const auto wish = cluster_wish(asked.clusters);
    if (!wish)
        return wish.error();
    const auto arrangement = measure::arrange(session.world(), *wish);
    if (!arrangement)
        return arrangement.error();
    const auto& world = arrangement->ranks;
    // Only rank 0 needs to reach the files.
    Result<compare::Physics> physics = compare::Physics{};
    if (world.rank() == 0)
        physics = compare::find_physics(asked.goodput, asked.profile);
    if (auto agreed = mpi::agree(world, physics ? Status(Done{}) : physics.error()); !agreed)
        return agreed.error();
    const auto network = shared_network(world, asked.profile);
    if (!network)
        return network.error();
    if (compare::names_auto(request)) {
        auto rules = shared_rules(world, asked);
        if (!rules)
            return rules.error();
        request.rules = std::move(*rules);
    }
    const auto selected = compare::select_candidates(request, arrangement->clusters, *network);
    if (!selected)
        return selected.error();
    contest.clusters = arrangement->clusters;
    contest.clusters_from = arrangement->how;
    contest.collective = selected->collective;
    contest.root = selected->root;
    contest.candidates = selected->candidates;
    if (!asked.matrix.empty())
        if (auto read = compare::read_matrix(asked.matrix, world, contest); !read)
            return read.error();
    const auto outcome = compare::run(world, contest);
    if (!outcome)
        return outcome.error();
    if (*outcome) {
        const compare::Comparison comparison{contest, **outcome, *physics, selected->left_out};
        fmt::print("{}", asked.json ? json_text(json_of(comparison)) : text_of(comparison));
    }
    return ExitStatus::done;
}

Result<ExitStatus> run_run(RunArguments& asked) {
    const auto contest = contest_of(asked);
    if (!mpi::Session::launched())
        return contest
                   ? bad_input(
                         "run must run under mpirun or srun, for example: mpirun -n 12 alltold run "
                         "alltoall --algorithm all -m 64KiB")
                   : contest.error();
    const auto session = mpi::Session::open();
    if (!session)
        return session.error();
    // All ranks read the same command line and find the same error; rank 0 prints it.
    const auto status = contest ? compare_all(*session, asked, *contest) : contest.error();
    return status ? *status : print_on_rank_0(status.error(), session->world().rank());
}

} // namespace

void declare_run(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<RunArguments>();
    auto& subcommand =
        add_subcommand(app, "run",
                       "Times algorithms and the MPI library's own in one shuffled run, with "
                       "synchronised starts, and checks every byte of every repetition",
                       example);
    subcommand
        .add_option(
            "collective", asked->request.what,
            "bcast, scatter, gather, alltoall, alltoallv, or one algorithm, such as alltoall.lg")
        ->required();
    subcommand.add_option(
        "--algorithm", asked->request.algorithms,
        "algorithms separated by commas, each with its parameters, such as "
        "\"alltoall.rotated window=8,mpi.pairwise\"; all: every alltold algorithm; everything: "
        "the MPI library's too; auto: the one the rules choose (default: all)");
    subcommand.add_option("-m,--size", asked->sizes,
                          "bytes per block, such as 64KiB or 1KiB,64KiB");
    subcommand.add_option(
        "--matrix", asked->matrix,
        "block sizes of an alltoallv, in units of -m: skewed (one rank has 10 times the "
        "others'), sparse (80 % zeros) or random (0 to 2); or a file with one line of sizes "
        "per rank, scaled so that the largest is -m (default: not scaled)");
    subcommand.add_option("--root", asked->request.root,
                          "root of a bcast, scatter or gather (default: 0)");
    subcommand.add_option("--segment", asked->parameters.segment,
                          "segment size of segmented algorithms (default: 8KiB)");
    subcommand.add_option(
        "--window", asked->parameters.window,
        "messages in flight of windowed algorithms (default: from the links of the "
        "profile or the lab; without them 4, or for gathers 64 KiB of blocks "
        "within a cluster and 256 KiB between clusters)");
    add_clusters(subcommand, asked->clusters);
    add_host_file(subcommand, asked->clusters);
    subcommand
        .add_option("--repetitions", asked->repetitions,
                    "repetitions of each algorithm at each size (default: 30)")
        ->check(CLI::Range(1, 1000000));
    subcommand.add_option("--budget", asked->budget,
                          "time limit, such as 60s (default: 60s, or none with --repetitions)");
    subcommand
        .add_option("--keep-within", asked->keep_within,
                    "drop algorithms slower than this many times the fastest, such as 1.5; mpi and "
                    "auto always stay (default: drop none)")
        ->check(CLI::Range(1., 1e6));
    subcommand.add_option(
        "--start", asked->start_mode,
        "what precedes each repetition: silence, barrier or back-to-back (default: silence)");
    subcommand.add_option("--seed", asked->seed,
                          "random seed of the order and of --matrix (default: 1)");
    subcommand.add_option(
        "--goodput", asked->goodput,
        "payload rate of each host, for the bounds (default: from --profile or the lab)");
    subcommand.add_option(
        "--profile", asked->profile,
        "profile with the links, for bounds and windows, and the rules, for auto");
    subcommand.add_option(
        "--rules", asked->rules,
        "your own rules for auto, which take precedence over the profile's: a file, or the "
        "rules themselves");
    subcommand.add_flag("--without-mpi", asked->request.without_mpi,
                        "do not time the MPI library's own collective");
    subcommand.add_flag("--json", asked->json, "print JSON, with every time");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_run(*asked); }; });
}

} // namespace alltold::cli
