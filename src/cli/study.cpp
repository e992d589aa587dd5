// SPDX-License-Identifier: BSD-3-Clause
// alltold study: the whole workflow, on the launcher's hosts or, without a launcher, in a lab.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "campaign/study/study.hpp"
#include "cli/all_ranks.hpp"
#include "cli/cluster_options.hpp"
#include "cli/collective_options.hpp"
#include "cli/command_name.hpp"
#include "cli/command_output.hpp"
#include "cli/lab_options.hpp"
#include "cli/settings_advice.hpp"
#include "cli/study_folder.hpp"
#include "cli/subcommand.hpp"
#include "cli/timing_options.hpp"
#include "core/launcher.hpp"
#include "core/say.hpp"
#include "core/units.hpp"
#include "lab/capacity.hpp"
#include "lab/lab.hpp"
#include "lab/launchers.hpp"
#include "lab/node.hpp"
#include "report/validation_table.hpp"
#include "store/campaign.hpp"
#include "store/json_text.hpp"
#include "store/profile_json.hpp"

namespace alltold::cli {
namespace {

struct StudyArguments {
    LabText lab;
    ClusterText clusters;
    std::string keep, budget, precision = "10%", start_mode = "silence", settings, collectives;
    std::string lab_only; ///< a given option that holds for a lab alone; empty: none
    std::uint64_t seed = 1;
    bool json = false, verbose = false;
};

/// `precision` is the one asked for.
void print(const campaign::StudyResult& result, double precision, const StudyArguments& asked) {
    if (asked.json) {
        nlohmann::ordered_json json{{"profile", profile_to_json(result.profile)},
                                    {"validation", validation_to_json(result.validation)},
                                    {"choices", campaign::choices_to_json(result.choices)},
                                    {"unknown", result.unknown},
                                    {"precision",
                                     {{"asked", precision},
                                      {"predictions", result.precise.all},
                                      {"as_asked", result.precise.narrow}}}};
        fmt::print("{}", json_text(json));
    } else {
        fmt::print("{}", asked.verbose ? result.page : result.verdict);
    }
}

/// For a study of these hosts, which are those of a lab if that has a truth file.
Result<StudyFolder> open_folder(const std::string& keep, const std::string& truth_file) {
    if (truth_file.empty())
        return StudyFolder::open(keep, StudyPlace::hosts, nullptr);
    ALLTOLD_TRY(text, read_text_file(truth_file, lab::truth_kind.name));
    const auto truth = nlohmann::json::parse(*text, nullptr, false);
    if (!truth.is_object())
        return bad_input(fmt::format("ALLTOLD_LAB_TRUTH {}: is not {}, which is a JSON object",
                                     truth_file, lab::truth_kind.name));
    return StudyFolder::open(keep, StudyPlace::inside_lab, truth);
}

/// The hosts of a lab that is to start, as far as a store can be of others.
Provenance hosts_of(const lab::LabOptions& options, StartMode start_mode) {
    Provenance hosts;
    hosts.clusters = options.clusters;
    hosts.mpi_library = mpi::Session::library();
    hosts.start_mode = start_mode;
    for (int host = 0; host < options.clusters.hosts(); ++host)
        hosts.hosts.insert(hosts.hosts.end(),
                           static_cast<std::size_t>(options.clusters.ranks_of_host(host)),
                           lab::host_name(options.clusters, host));
    return hosts;
}

/// Options of a lab say nothing of hosts, and --hostfile nothing of a lab.
Status check_place(const StudyArguments& asked) {
    const bool launched = launched_process().has_value();
    if (launched && !asked.lab_only.empty())
        return bad_input(fmt::format("{}: describes the lab that study starts without a launcher; "
                                     "under a launcher leave it out",
                                     asked.lab_only));
    if (!launched && !asked.clusters.host_file.empty())
        return bad_input("--hostfile: names the hosts of a study under mpirun or srun; without a "
                         "launcher study starts a lab, which takes --clusters");
    return Done{};
}

/// Those that need no session.
Result<campaign::StudyOptions> options_of(const StudyArguments& asked) {
    campaign::StudyOptions options;
    if (!asked.budget.empty()) {
        ALLTOLD_TRY(budget_s, parse_budget(asked.budget));
        options.budget_s = *budget_s;
    }
    ALLTOLD_TRY(precision, parse_share("--precision", asked.precision));
    ALLTOLD_TRY(start_mode, parse_start(asked.start_mode));
    if (!asked.settings.empty()) {
        ALLTOLD_TRY(advice, settings_advice(asked.settings));
        options.advice = std::move(*advice);
    }
    ALLTOLD_TRY(collectives, parse_collectives("--collective", asked.collectives));
    if (!collectives->empty())
        options.collectives = std::move(*collectives);
    options.precision = *precision;
    options.start_mode = *start_mode;
    options.seed = asked.seed;
    options.command = command_name();
    return options;
}

Result<ExitStatus> study_here(const StudyArguments& asked, campaign::StudyOptions options) {
    auto clusters = cluster_request(asked.clusters);
    if (!clusters)
        return fail_on_all_ranks(clusters.error());
    ALLTOLD_TRY(session, mpi::Session::open());
    if (const char* truth_file = std::getenv("ALLTOLD_LAB_TRUTH"))
        options.truth_file = truth_file;
    std::optional<StudyFolder> folder; // on rank 0
    if (session->world().rank() == 0) {
        auto opened = open_folder(asked.keep, options.truth_file);
        if (!opened)
            mpi::Session::abort(opened.error());
        options.folder = opened->path();
        folder = std::move(*opened);
    }
    options.clusters = std::move(*clusters);
    const auto result = campaign::study(session->world(), options);
    if (folder)
        folder->leave_nothing_unstudied();
    if (!result)
        return print_on_rank_0(result.error(), session->world().rank());
    if (!*result)
        return ExitStatus::done;
    print(**result, options.precision, asked);
    return (*result)->unknown.empty() ? ExitStatus::done : ExitStatus::no;
}

/// The launcher of this program's MPI library.
std::vector<std::string> launcher(int ranks) {
    const auto n = std::to_string(ranks);
    const auto library = mpi::Session::library();
    if (library.starts_with("Open MPI v4."))
        return {"mpirun", "--quiet", "-n", n}; // alltold prints its own error
    if (library.starts_with("Open MPI"))       // which cannot be told to be quiet
        return {"mpirun", "-n", n};
    return {"mpiexec.mpich", "-n", n};
}

/// The command that runs this program under that launcher.
std::vector<std::string> launch_line(int ranks, const StudyArguments& asked) {
    auto line = launcher(ranks);
    line.insert(line.end(), {own_program(), "study", "--precision", asked.precision, "--seed",
                             std::to_string(asked.seed), "--start", asked.start_mode});
    if (!asked.budget.empty())
        line.insert(line.end(), {"--budget", asked.budget});
    if (!asked.keep.empty())
        line.insert(line.end(), {"--keep", std::filesystem::absolute(asked.keep)});
    if (!asked.collectives.empty())
        line.insert(line.end(), {"--collective", asked.collectives});
    if (asked.json)
        line.push_back("--json");
    if (asked.verbose)
        line.push_back("--verbose");
    if (!asked.settings.empty())
        line.insert(line.end(), {"--settings", std::filesystem::absolute(asked.settings)});
    return line;
}

/// First what settings of the MPI library gain, unless the output is to be JSON; then the same.
std::vector<std::string> lab_line(int ranks, const StudyArguments& asked,
                                  const std::filesystem::path& settings_file) {
    const auto study = launch_line(ranks, asked);
    if (asked.json || !asked.settings.empty())
        return study;
    const auto file = quoted(std::filesystem::absolute(settings_file).string());
    const auto settings =
        fmt::format("{} settings alltoall -m 64KiB --budget 10s --json -o {} -- {}",
                    quoted(own_program()), file, quoted(launcher(ranks)));
    // A study without advice is better than none; a signal ends both.
    constexpr const char* script = "{0}\nstatus=$?\n"
                                   "[ $status -eq 0 ] && exec {2} --settings {1}\n"
                                   "[ $status -ge 128 ] && exit $status\n"
                                   "exec {2}";
    return {"sh", "-c", fmt::format(script, settings, file, quoted(study))};
}

/// Runs local ranks where no lab can be created. Their times show memory, not a network.
Result<ExitStatus> study_local_ranks(const StudyArguments& asked, const std::string& why) {
    constexpr int ranks = 4;
    say(fmt::format(
        "alltold: cannot create a lab here ({}); measuring {} local ranks instead; the results "
        "describe this machine's memory, not a network\n",
        why, ranks));
    for (const auto& [name, value] : lab::local_launch_environment())
        ::setenv(name.c_str(), value.c_str(), 0);
    auto line = launch_line(ranks, asked);
    std::vector<char*> words;
    for (auto& word : line)
        words.push_back(word.data());
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    return environment(fmt::format("cannot start {}", line.front()));
}

Result<ExitStatus> run_study(StudyArguments asked) {
    if (auto right = check_place(asked); !right)
        return fail_on_all_ranks(right.error());
    const auto study_options = options_of(asked);
    if (!study_options)
        return fail_on_all_ranks(study_options.error());
    if (launched_process())
        return study_here(asked, *study_options);
    ALLTOLD_TRY(options, lab_options(asked.lab));
    if (options->clusters.hosts() < 2)
        return bad_input("--clusters: a study needs at least 2 hosts");
    if (const auto& permitted = lab::lab_permitted(); !permitted)
        return study_local_ranks(asked, permitted.error().message);
    ALLTOLD_TRY_DONE(lab::check_ranks(*options, lab::processors_here()));
    if (options->tcp.empty())
        options->tcp = lab::usual_tcp();
    ALLTOLD_TRY(folder, StudyFolder::open(asked.keep, StudyPlace::new_lab, lab::truth(*options)));
    ALLTOLD_TRY_DONE(Campaign::may_resume(folder->path() / campaign::store_file,
                                          hosts_of(*options, study_options->start_mode)));
    asked.keep = folder->path().string();
    options->truth_file = folder->truth();
    warn_of_rate(*options);
    say(fmt::format("alltold: starting a lab of {} hosts ({}), {} per host, {} per switch port\n",
                    options->clusters.hosts(), options->clusters.text(),
                    format_rate(options->nic_bit_per_s), format_size(options->buffer_bytes)));
    const auto ran =
        lab::run_in_lab(*options, lab_line(options->clusters.ranks(), asked, folder->settings()));
    folder->leave_nothing_unstudied();
    if (!ran)
        return ran.error();
    return static_cast<ExitStatus>(ran->exit_status);
}

} // namespace

void declare_study(CLI::App& app, Action& chosen) {
    const auto asked = std::make_shared<StudyArguments>();
    auto& subcommand = add_subcommand(
        app, "study",
        "Measures the network, fits the models, and checks their predictions; under mpirun "
        "on its hosts, otherwise in a lab",
        "alltold study\n"
        "  mpirun -n 16 --map-by node alltold study --keep cluster");
    add_lab_options(subcommand, asked->lab);
    subcommand.get_option("--clusters")
        ->description(
            "hosts of the lab, such as 12, 6+6, 4+8+4 or 6x4+3x8; under mpirun, the hosts "
            "that the ranks run on, or auto");
    add_host_file(subcommand, asked->clusters);
    subcommand.add_option("--budget", asked->budget,
                          "time limit for measuring (default: 150s, on several clusters 200s)");
    subcommand
        .add_option("--precision", asked->precision,
                    "stop measuring once predictions are this precise")
        ->capture_default_str();
    subcommand.add_option("--collective", asked->collectives,
                          collectives_help(studied_collectives));
    subcommand.add_option("--keep", asked->keep,
                          "folder for study.db, profile.json, page.txt and report.html; resumes if "
                          "it has them (default: "
                          "alltold-study, or alltold-study-2 and so on)");
    subcommand
        .add_option("--seed", asked->seed,
                    "random seed of the order of points and of the bootstrap")
        ->check(valid_seed())
        ->capture_default_str();
    add_start_mode(subcommand, asked->start_mode, true);
    subcommand.add_option("--settings", asked->settings,
                          "output of alltold settings --json, for advice in the verdict");
    subcommand.add_flag("--verbose", asked->verbose,
                        "print everything that was measured, predicted and refused");
    subcommand.add_flag("--json", asked->json, "print the profile and the comparison as JSON");
    subcommand.callback([asked, &subcommand, &chosen] {
        if (subcommand.count("--clusters") > 0) // not the lab's default
            asked->clusters.sizes = asked->lab.clusters;
        for (const auto* option :
             {"--ranks-per-host", "--oversubscribe", "--nic", "--buffer", "--wan", "--tcp"})
            if (subcommand.count(option) > 0)
                asked->lab_only = option;
        chosen = [asked] { return run_study(*asked); };
    });
}

} // namespace alltold::cli
