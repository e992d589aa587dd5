// SPDX-License-Identifier: BSD-3-Clause
// alltold settings: which settings of the MPI library make its own collective faster.
#include <chrono>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/engine/progress.hpp"
#include "cli/collective_options.hpp"
#include "cli/command_output.hpp"
#include "cli/timing_options.hpp"
#include "core/environment.hpp"
#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "predict/library/library_setting.hpp"
#include "report/text_table.hpp"
#include "runtime/mpi/session.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

constexpr const char* settings_example =
    "alltold settings alltoall -- mpirun -n 12 --hostfile hosts\n"
    "  alltold lab -- alltold settings bcast -m 1MiB -- mpirun -n 12";

/// Each setting is timed so many times, in turn with the others; after the first time only those
/// that may still be best.
constexpr int rounds = 2;
/// Less than this between two settings prefers the one that changes less, which comes first.
constexpr double negligible_gain = 0.02;

constexpr std::array<std::uint64_t, 3> usual_sizes_bytes{16 << 10, 64 << 10, 256 << 10};

/// "16KiB,64KiB"
std::string words(std::span<const std::uint64_t> sizes_bytes) {
    std::vector<std::string> words;
    for (const auto size_bytes : sizes_bytes)
        words.push_back(format_size_word(size_bytes));
    return fmt::format("{}", fmt::join(words, ","));
}

struct SettingsArguments {
    std::string collective, output;
    std::vector<std::uint64_t> sizes_bytes;
    double budget_s = 60;
    StartMode start_mode = StartMode::barrier;
    std::vector<std::string> launcher;
    bool json = false;
};

/// None: the library's defaults.
using Setting = EnvironmentVariables;

/// The default, larger eager limits, and for Open MPI each of its algorithms.
std::vector<Setting> settings_of(MpiLibrary library, Collective collective) {
    std::vector<Setting> settings{{}};
    const bool open_mpi = library == MpiLibrary::open_mpi;
    for (const char* limit : {"262144", "1048576"})
        settings.push_back(
            {{open_mpi ? "OMPI_MCA_btl_tcp_eager_limit" : "UCX_RNDV_THRESH", limit}});
    for (const auto& row : library_algorithms())
        if (open_mpi && can_be_set(row, collective))
            settings.push_back(forcing_variables(row));
    return settings;
}

/// Times of one setting, by size.
using Times = std::map<std::uint64_t, std::vector<double>>;

class Trial {
  public:
    Trial(const SettingsArguments& asked, std::vector<Setting> settings)
        : launcher_(asked.launcher.front()), settings_(std::move(settings)),
          times_(settings_.size()) {
        const double share_s = asked.budget_s / rounds / static_cast<double>(settings_.size());
        command_ = fmt::format(
            "{} {} run {} --algorithm mpi{} --start {} --budget {:.3g}s --json </dev/null",
            quoted(asked.launcher), quoted(own_program()), asked.collective,
            asked.sizes_bytes.empty() ? "" : " -m " + words(asked.sizes_bytes),
            name_of(asked.start_mode), share_s);
    }

    Status operator()() {
        campaign::Progress progress; // leaves an empty line at the end
        std::vector<std::size_t> round(settings_.size());
        std::iota(round.begin(), round.end(), std::size_t{0});
        std::size_t run = 0;
        for (int rounds_left = rounds; rounds_left > 0; --rounds_left) {
            std::erase_if(round, [&](std::size_t i) { return surpassed(i); });
            const auto runs = run + static_cast<std::size_t>(rounds_left) * round.size();
            for (const auto i : round) {
                show(progress, run++, runs, settings_[i]);
                ALLTOLD_TRY_DONE(time(settings_[i], times_[i]));
            }
        }
        return Done{};
    }

    const std::vector<Setting>& settings() const { return settings_; }
    const std::vector<Times>& times() const { return times_; }

    /// The setting with the least mean of log ratios to the default, among those that gain at one
    /// size and lose at none; 0: the default.
    std::size_t best() const {
        std::size_t best = 0;
        double most = 0;
        for (std::size_t i = 1; i < settings_.size(); ++i)
            if (const double gain = setting_gain(times_[i], times_[0]);
                gain > most + negligible_gain) {
                most = gain;
                best = i;
            }
        return best;
    }

    double ratio(std::size_t setting, std::uint64_t size_bytes) const {
        return median(times_[setting].at(size_bytes)) / median(times_[0].at(size_bytes));
    }

  private:
    void show(campaign::Progress& progress, std::size_t run, std::size_t runs,
              const Setting& setting) const {
        const double elapsed_s =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
        progress.show(elapsed_s, [&] {
            const auto left = run == 0 ? ""
                                       : fmt::format("{:.0f} s left, ",
                                                     elapsed_s * static_cast<double>(runs - run) /
                                                         static_cast<double>(run));
            return fmt::format("settings of the MPI library: {} of {} runs, {}at {}", run, runs,
                               left, settings_text(setting));
        });
    }

    /// Whether another setting was faster at every size in all repetitions. The default counts as
    /// surpassed by none: every setting is compared with it.
    bool surpassed(std::size_t setting) const {
        return setting != 0 && std::ranges::any_of(times_, [&](const Times& others) {
                   return !others.empty() &&
                          std::ranges::all_of(times_[setting], [&](const auto& own) {
                              const auto other = others.find(own.first);
                              return other != others.end() &&
                                     std::ranges::max(other->second) < std::ranges::min(own.second);
                          });
               });
    }

    Status time(const Setting& setting, Times& times) {
        ALLTOLD_TRY(text, output_of(command_, setting));
        // A launcher may print lines of its own before.
        text->erase(0, std::min(text->size(), text->find('{')));
        if (text->empty())
            return bad_input(fmt::format("'{}' did not run alltold; give a launcher after --, such "
                                         "as -- mpirun -n 12 --hostfile hosts",
                                         launcher_));
        auto json = JsonCursor::parse(*text, "the output of run");
        for (auto result : json.member("results").items()) {
            const auto size_bytes =
                static_cast<std::uint64_t>(result.member("size_bytes").whole_number(0));
            for (auto time_s : result.member("times_s").items())
                times[size_bytes].push_back(time_s.number({"seconds", 0, true}));
        }
        return json.error() ? Status(*json.error()) : Status(Done{});
    }

    std::string launcher_;
    std::vector<Setting> settings_;
    std::vector<Times> times_;
    std::string command_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

std::string page_of(const SettingsArguments& asked, const Trial& trial) {
    TextTable table;
    for (const auto& [size_bytes, times_s] : trial.times().front())
        table.column(format_size(size_bytes));
    for (std::size_t i = 0; i < trial.settings().size(); ++i) {
        std::vector<std::string> cells;
        table.group(settings_text(trial.settings()[i]));
        for (const auto& [size_bytes, times_s] : trial.times()[i])
            cells.push_back(i == 0 ? format_time(median(times_s))
                                   : fmt::format("{} ({:.2f})", format_time(median(times_s)),
                                                 trial.ratio(i, size_bytes)));
        table.row(std::move(cells));
    }
    auto text = fmt::format(
        "The MPI library's own {}, --start {}: medians, and their ratio to the default\n\n{}\n",
        asked.collective, name_of(asked.start_mode), table.text());
    const auto best = trial.best();
    if (best == 0)
        return text + fmt::format("No setting is known to be {:.0f} % faster at any size without "
                                  "being slower at another.\n",
                                  100 * (1 - worth_setting));
    std::vector<std::string> gains;
    for (const auto& [size_bytes, times_s] : trial.times()[best])
        gains.push_back(
            fmt::format("{:.2f} at {}", trial.ratio(best, size_bytes), format_size(size_bytes)));
    return text + fmt::format("export {}\n# ratio to the default: {}\n",
                              settings_text(trial.settings()[best]), fmt::join(gains, ", "));
}

nlohmann::ordered_json json_of(const SettingsArguments& asked, const Trial& trial) {
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < trial.settings().size(); ++i)
        for (const auto& [size_bytes, times_s] : trial.times()[i])
            rows.push_back({{"setting", settings_text(trial.settings()[i])},
                            {"size_bytes", size_bytes},
                            {"time_s", to_json(median_interval(times_s))},
                            {"over_default", trial.ratio(i, size_bytes)},
                            {"times_s", times_s}});
    return {{"collective", asked.collective},
            {"start", name_of(asked.start_mode)},
            {"recommended", settings_text(trial.settings()[trial.best()])},
            {"results", std::move(rows)}};
}

FileKind kind_of(const SettingsArguments& asked) {
    return {"output of settings", asked.json ? "\"recommended\"" : "The MPI library's own"};
}

Result<ExitStatus> run_settings(SettingsArguments asked) {
    ALLTOLD_TRY(collective, parse_collective(asked.collective, uniform_collectives));
    if (asked.sizes_bytes.empty() && traits_of(*collective).has_data)
        asked.sizes_bytes.assign(usual_sizes_bytes.begin(), usual_sizes_bytes.end());
    ALLTOLD_TRY_DONE(block_sizes(*collective, asked.sizes_bytes));
    if (asked.launcher.empty())
        return bad_input("give the launcher after --, such as -- mpirun -n 12 --hostfile hosts");
    ALLTOLD_TRY_DONE(in_context("the launcher after --", check_program(asked.launcher.front())));
    const auto library = library_named(mpi::Session::library());
    if (library == MpiLibrary::other)
        return environment(
            "alltold knows settings of Open MPI and MPICH, but none of this MPI library");
    ALLTOLD_TRY_DONE(may_write_output(asked.output, kind_of(asked))); // before the long work
    Trial trial(asked, settings_of(library, *collective));
    ALLTOLD_TRY_DONE(trial());
    const auto text = asked.json ? json_text(json_of(asked, trial)) : page_of(asked, trial);
    ALLTOLD_TRY_DONE(write_output(asked.output, text, kind_of(asked)));
    return ExitStatus::done;
}

} // namespace

void declare_settings(CLI::App& app, Action& chosen) {
    auto& subcommand = add_subcommand(
        app, "settings", "Finds the MPI library's settings that make its own collective fastest",
        settings_example);
    subcommand.footer("Times the collective under the library's eager limits and algorithms, and "
                      "prints the line to set.");
    auto asked = std::make_shared<SettingsArguments>();
    subcommand.add_option("collective", asked->collective, listed(uniform_collectives))->required();
    add_sizes(subcommand, asked->sizes_bytes,
              fmt::format("bytes per block (default: {})", words(usual_sizes_bytes)));
    add_start_mode(subcommand, asked->start_mode, false);
    add_budget(subcommand, asked->budget_s, "time for all settings together")->default_str("60s");
    subcommand.add_option("-o,--output", asked->output, "file to write (default: standard output)");
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.add_option("launcher", asked->launcher,
                          "after --: the launcher with its options, without a program");
    subcommand.callback([asked, &chosen] {
        if (launched_process())
            throw WrongOption(bad_input(
                "settings starts the launcher itself, once per setting; run it without one"));
        chosen = [asked] { return run_settings(*asked); };
    });
}

} // namespace alltold::cli
