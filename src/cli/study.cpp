// SPDX-License-Identifier: BSD-3-Clause
// alltold study: the whole workflow, on the launcher's hosts or, without a launcher, in a lab.
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "campaign/study/study.hpp"
#include "cli/all_ranks.hpp"
#include "cli/cluster_options.hpp"
#include "cli/collective_options.hpp"
#include "cli/command_output.hpp"
#include "cli/lab_options.hpp"
#include "cli/study_folder.hpp"
#include "cli/timing_options.hpp"
#include "core/environment.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "lab/lab.hpp"
#include "lab/launchers.hpp"
#include "lab/watch.hpp"
#include "report/validation_table.hpp"
#include "store/json_text.hpp"
#include "store/profile_json.hpp"

namespace alltold::cli {
namespace {

constexpr const char* no_setting = "default";

/// The setting that `alltold settings --json` recommends in this file, its gain at each size, and
/// what to do about it; empty if it recommends none. Fails if the file is not of that kind.
Result<std::string> settings_advice(const std::filesystem::path& file) {
    ALLTOLD_TRY(text, read_text_file(file, "the JSON of alltold settings"));
    auto json = JsonCursor::parse(*text, file.string());
    if (!json.error() && !json.optional_member("recommended"))
        return bad_input(fmt::format(
            "--settings {}: is not the output of 'alltold settings --json'", file.string()));
    const auto recommended = json.member("recommended").text();
    std::map<double, double> default_s, recommended_s;
    for (auto result : json.member("results").items()) {
        const auto setting = result.member("setting").text();
        const double size_bytes = result.member("size_bytes").number({"bytes", 0, true});
        const double time_s = result.member("time_s").member("value").number({"seconds", 0, true});
        if (setting == no_setting)
            default_s[size_bytes] = time_s;
        if (setting == recommended)
            recommended_s[size_bytes] = time_s;
    }
    const auto collective = json.member("collective").text();
    const auto start_mode = json.member("start").text();
    if (json.error())
        return *json.error();
    if (recommended == no_setting)
        return std::string();
    std::string advice = fmt::format("export {}\n", recommended);
    for (const auto& [size_bytes, time_s] : recommended_s)
        advice += fmt::format("# the MPI library's own {} of {}: {} instead of {} (after a {})\n",
                              collective, format_size(size_bytes), format_time(time_s),
                              format_time(default_s[size_bytes]), start_mode);
    return advice + "# If you set it, run the study again: the fastest choices may change.\n";
}

/// Options that describe a lab and nothing else.
constexpr const char* lab_only[] = {"--ranks-per-host", "--oversubscribe", "--nic",
                                    "--buffer",         "--wan",           "--tcp"};

struct StudyArguments {
    campaign::StudyOptions study;
    lab::LabOptions lab;
    std::string keep;
    std::vector<std::string> passed_on; ///< options of the study that runs in a lab, without --keep
    bool advised = false, json = false, verbose = false;
};

nlohmann::ordered_json json_of(const campaign::StudyResult& result) {
    return {{"profile", profile_to_json(result.profile)},
            {"validation", validation_to_json(result.validation)},
            {"choices", campaign::choices_to_json(result.choices)},
            {"unknown", result.unknown},
            {"precision",
             {{"asked", result.precise.asked},
              {"predictions", result.precise.all},
              {"as_asked", result.precise.narrow}}}};
}

/// For a study of these hosts, which are those of a lab if that has a truth file.
Result<StudyFolder> open_folder(const std::string& keep, const char* truth_file) {
    nlohmann::json truth;
    if (truth_file) {
        ALLTOLD_TRY(text, read_text_file(truth_file, lab::truth_kind.name));
        truth = nlohmann::json::parse(*text, nullptr, false);
        if (!truth.is_object())
            return bad_input(fmt::format("ALLTOLD_LAB_TRUTH {}: is not {}, which is a JSON object",
                                         truth_file, lab::truth_kind.name));
    }
    return StudyFolder::open(keep, truth_file ? StudyPlace::inside_lab : StudyPlace::hosts, truth);
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

Result<ExitStatus> study_here(const StudyArguments& asked) {
    ALLTOLD_TRY(session, mpi::Session::open());
    const char* truth_file = std::getenv("ALLTOLD_LAB_TRUTH");
    auto options = asked.study;
    options.truth_file = truth_file ? truth_file : "";
    std::optional<StudyFolder> folder; // on rank 0
    if (session->world().rank() == 0) {
        auto opened = open_folder(asked.keep, truth_file);
        if (!opened)
            mpi::Session::abort(opened.error());
        options.folder = opened->path();
        folder.emplace(std::move(*opened));
    }
    const auto result = campaign::study(session->world(), options);
    if (!result)
        return print_on_rank_0(result.error(), session->world().rank());
    if (!*result)
        return ExitStatus::done;
    const auto text = asked.json      ? json_text(json_of(**result))
                      : asked.verbose ? (*result)->page
                                      : (*result)->verdict;
    fmt::print("{}", text);
    return (*result)->unknown.empty() ? ExitStatus::done : ExitStatus::no;
}

std::vector<std::string> launcher(int ranks) {
    const auto n = std::to_string(ranks);
    const auto library = mpi::Session::library();
    if (library.starts_with("Open MPI v4."))
        return {"mpirun", "--quiet", "-n", n}; // alltold prints its own error
    if (library.starts_with("Open MPI"))       // which cannot be told to be quiet
        return {"mpirun", "-n", n};
    return {"mpiexec.mpich", "-n", n};
}

/// The command that runs this study under that launcher.
std::vector<std::string> launch_line(int ranks, const StudyArguments& asked,
                                     const std::string& keep) {
    auto line = launcher(ranks);
    line.insert(line.end(), {own_program(), "study"});
    line.insert(line.end(), asked.passed_on.begin(), asked.passed_on.end());
    if (!keep.empty())
        line.insert(line.end(), {"--keep", std::filesystem::absolute(keep)});
    return line;
}

/// First what settings of the MPI library gain, unless the output is to be JSON; then the same.
std::vector<std::string> lab_line(int ranks, const StudyArguments& asked,
                                  const StudyFolder& folder) {
    const auto study = launch_line(ranks, asked, folder.path());
    if (asked.json || asked.advised)
        return study;
    const auto file = quoted(std::filesystem::absolute(folder.settings()).string());
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
    say(fmt::format("alltold: cannot create a lab here ({}); measuring {} local ranks instead; the "
                    "results describe this machine's memory, not a network\n",
                    why, ranks));
    for (const auto& [name, value] : lab::local_launch_environment())
        ::setenv(name.c_str(), value.c_str(), 0);
    auto line = launch_line(ranks, asked, asked.keep);
    std::vector<char*> words;
    for (auto& word : line)
        words.push_back(word.data());
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    return environment(fmt::format("cannot start {}", line.front()));
}

/// Options of a lab say nothing of hosts, and --hostfile nothing of a lab.
Status check_place(const CLI::App& subcommand, const lab::LabOptions& lab) {
    const bool launched = launched_process().has_value();
    for (const auto* option : lab_only)
        if (launched && subcommand.count(option) > 0)
            return bad_input(fmt::format("{}: describes the lab that study starts without a "
                                         "launcher; under a launcher leave it out",
                                         option));
    if (!launched && subcommand.count("--hostfile") > 0)
        return bad_input("--hostfile: names the hosts of a study under mpirun or srun; without a "
                         "launcher study starts a lab, which takes --clusters");
    if (!launched && lab.clusters.hosts() < 2)
        return bad_input("--clusters: a study needs at least 2 hosts");
    return launched ? Done{} : lab::check(lab);
}

/// The given options that hold in a lab too. Relative paths mean what they do here.
std::vector<std::string> options_to_pass_on(const CLI::App& subcommand) {
    std::vector<std::string> words;
    for (const auto* option : subcommand.get_options()) {
        const auto name = option->get_name();
        if (option->count() == 0 || name == "--clusters" || name == "--keep" ||
            std::ranges::find(lab_only, name) != std::end(lab_only))
            continue;
        words.push_back(name);
        if (option->get_items_expected_max() > 0)
            words.push_back(name == "--settings"
                                ? std::filesystem::absolute(option->results().back()).string()
                                : option->results().back());
    }
    return words;
}

/// In a lab that it starts.
Result<ExitStatus> study_lab(const StudyArguments& asked, lab::LabOptions options) {
    if (const auto& permitted = lab::lab_permitted(); !permitted)
        return study_local_ranks(asked, permitted.error().message);
    if (options.tcp.empty())
        options.tcp = lab::usual_tcp();
    const auto hosts = hosts_of(options, asked.study.start_mode);
    const auto truth = lab::truth(options);
    ALLTOLD_TRY_DONE(lab::check_ranks(options, lab::processors_here()));
    const auto described = fmt::format("a lab of {} hosts ({}), {} per host, {} per switch port",
                                       options.clusters.hosts(), options.clusters.text(),
                                       lab::nic_text(options), format_size(options.buffer_bytes));
    ALLTOLD_TRY(folder, StudyFolder::open(asked.keep, StudyPlace::new_lab, truth));
    const auto line = lab_line(options.clusters.ranks(), asked, *folder);
    ALLTOLD_TRY_DONE(Campaign::may_resume(folder->path() / campaign::store_file, hosts));
    options.truth_file = folder->truth();
    say(fmt::format("alltold: starting {}\n", described));
    ALLTOLD_TRY(ran, lab::run_in_lab(options, line));
    return static_cast<ExitStatus>(ran->exit_status);
}

Result<ExitStatus> run_study(const StudyArguments& asked) {
    return launched_process() ? study_here(asked) : study_lab(asked, asked.lab);
}

} // namespace

void declare_study(CLI::App& app, Action& chosen) {
    const auto asked = std::make_shared<StudyArguments>();
    auto& subcommand = add_subcommand(app, "study",
                                      "Measures the network, fits the models, and checks their "
                                      "predictions; under mpirun on its hosts, otherwise in a lab",
                                      "alltold study\n"
                                      "  mpirun -n 16 --map-by node alltold study --keep cluster");
    if (launched_process())
        add_clusters(subcommand, asked->study.clusters);
    else
        add_lab_clusters(subcommand, asked->lab);
    add_lab_options(subcommand, asked->lab);
    subcommand.get_option("--clusters")
        ->description("hosts of the lab, such as 12, 6+6, 4+8+4, 6x4+3x8 or 6@50Mbit+6@20Mbit; "
                      "under mpirun, the "
                      "hosts that the ranks run on, or auto")
        ->default_str("12");
    add_host_file(subcommand, asked->study.clusters);
    add_budget(subcommand, asked->study.budget_s,
               "time limit for measuring (default: 150s, on several clusters 200s)");
    add_share(subcommand, "--precision", asked->study.precision,
              "stop measuring once predictions are this precise");
    add_collectives(subcommand, asked->study.collectives, studied_collectives);
    subcommand.add_option("--keep", asked->keep,
                          "folder for study.db, profile.json, page.txt and report.html; resumes if "
                          "it has them (default: alltold-study, or alltold-study-2 and so on)");
    add_seed(subcommand, asked->study.seed, "the order of points and of the bootstrap");
    add_start_mode(subcommand, asked->study.start_mode, true);
    add_parsed(subcommand, "--settings", asked->study.advice, settings_advice,
               "output of alltold settings --json, for advice in the verdict");
    subcommand.add_flag("--verbose", asked->verbose,
                        "print everything that was measured, predicted and refused");
    subcommand.add_flag("--json", asked->json, "print the profile and the comparison as JSON");
    subcommand.callback([asked, &subcommand, &chosen] {
        if (auto right = check_place(subcommand, asked->lab); !right)
            throw WrongOption(right.error());
        asked->advised = subcommand.count("--settings") > 0;
        asked->passed_on = options_to_pass_on(subcommand);
        asked->study.command = command_name();
        chosen = [asked] { return run_study(*asked); };
    });
}

} // namespace alltold::cli
