// SPDX-License-Identifier: BSD-3-Clause
// alltold site check: a few calls, beside what the site's profile predicts for them.
#include <fmt/format.h>
#include <unistd.h>

#include "campaign/measure.hpp"
#include "cli/all_ranks.hpp"
#include "cli/cluster_options.hpp"
#include "cli/collective_options.hpp"
#include "cli/input_files.hpp"
#include "cli/timing_options.hpp"
#include "core/environment.hpp"
#include "core/units.hpp"
#include "report/text_table.hpp"
#include "report/validation_table.hpp"
#include "site/lookup.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

// A tree of small messages shows latencies, one of large ones and an exchange rates and buffers.
constexpr const char* checked_algorithms[] = {"bcast.binomial", "alltoall.pairwise"};
constexpr std::uint64_t checked_sizes[] = {1024, 65536};
constexpr int repetitions = 7; // three of them may have a time-out

struct CheckArguments {
    ClusterRequest clusters;
    std::string profile;
    double budget_s = 5, threshold = 0.25;
    bool json = false;
};

/// The samples, for as long as they are needed: on rank 0, which alone makes the files.
class TemporaryCampaign {
  public:
    TemporaryCampaign()
        : file_(std::filesystem::temp_directory_path() /
                fmt::format("alltold-site-check-{}.db", ::getpid())) {}
    ~TemporaryCampaign() {
        std::error_code ignored;
        for (const auto* ending : {"", "-wal", "-shm", "-lock"})
            std::filesystem::remove(file_.string() + ending, ignored);
    }
    TemporaryCampaign(const TemporaryCampaign&) = delete;
    TemporaryCampaign& operator=(const TemporaryCampaign&) = delete;
    const std::filesystem::path& file() const { return file_; }

  private:
    std::filesystem::path file_;
};

campaign::MeasureOptions options_of(const CheckArguments& asked,
                                    const std::filesystem::path& store) {
    campaign::MeasureOptions options;
    options.store = store;
    options.budget_s = asked.budget_s;
    options.clusters = asked.clusters;
    options.request.only = {"collectives"};
    options.request.collectives = {"bcast", "alltoall"};
    options.request.algorithms.assign(std::begin(checked_algorithms), std::end(checked_algorithms));
    options.request.sizes_bytes.assign(std::begin(checked_sizes), std::end(checked_sizes));
    options.goal.exactly = repetitions;
    return options;
}

struct CheckedProfile {
    std::string file;
    Profile profile;
};

/// The one asked for, else that of the site for these hosts.
Result<CheckedProfile> checked_profile(const std::string& asked, const Provenance& here) {
    auto file = asked;
    if (asked.empty()) {
        const auto library = site::library_version(here.mpi_library);
        std::string why_not;
        ALLTOLD_TRY(found,
                    site::look_up(here.hosts, library.value_or(site::LibraryVersion{}), why_not));
        if (!*found)
            return bad_input(why_not.empty() ? "no site folder; make one with 'alltold site init' "
                                               "or name a profile with --profile"
                                             : why_not);
        if (!(*found)->profile)
            return bad_input((*found)->why + "; add one with 'alltold site init'");
        file = (*found)->profile->profile.file.string();
    }
    ALLTOLD_TRY(profile, read_profile(file));
    return CheckedProfile{file, std::move(*profile)};
}

/// How far a measured median is from the ends of its prediction: 0 inside.
double change_of(const ValidatedPoint& point) {
    const auto& predicted = point.predicted.time_s;
    const double measured_s = point.measured_s.value;
    if (measured_s > predicted.high)
        return measured_s / predicted.high - 1;
    return measured_s < predicted.low ? measured_s / predicted.low - 1 : 0;
}

std::string table_of(std::span<const ValidatedPoint> points, double threshold) {
    TextTable table;
    table.column("call", TextTable::Align::left);
    table.columns({"measured", "predicted", "beyond"});
    for (const auto& point : points) {
        const double change = change_of(point);
        table.row({fmt::format("{} n = {}, {}", point.algorithm, point.clusters.text(),
                               format_size(static_cast<double>(point.size_bytes))),
                   format_time(point.measured_s.value),
                   fmt::format("{} to {}", format_time(point.predicted.time_s.low),
                               format_time(point.predicted.time_s.high)),
                   change == 0 ? ""
                               : format_signed_percent(change) +
                                     (std::abs(change) > threshold ? " *" : "")});
    }
    return table.text();
}

nlohmann::ordered_json to_json(std::span<const ValidatedPoint> points) {
    auto json = nlohmann::ordered_json::array();
    for (const auto& point : points)
        json.push_back({{"algorithm", point.algorithm},
                        {"clusters", point.clusters.text()},
                        {"size_bytes", point.size_bytes},
                        {"measured_s", point.measured_s.value},
                        {"predicted_s",
                         {{"value", point.predicted.time_s.value},
                          {"low", point.predicted.time_s.low},
                          {"high", point.predicted.time_s.high}}},
                        {"beyond", change_of(point)}});
    return json;
}

/// On rank 0.
Result<ExitStatus> compare(const CheckArguments& asked, const std::filesystem::path& store) {
    ALLTOLD_TRY(measured, read_campaign(store.string()));
    ALLTOLD_TRY(checked, checked_profile(asked.profile, measured->where));
    const auto validation = validate(measured->points, checked->profile, nullptr);
    const std::span<const ValidatedPoint> points = validation.ours;
    if (points.empty())
        return refused(
            fmt::format("{}: predicts none of the calls of site check{}", checked->file,
                        validation.notes.empty() ? "" : ": " + validation.notes.front()));
    const auto changed = std::ranges::count_if(points, [&](const ValidatedPoint& point) {
        return std::abs(change_of(point)) > asked.threshold;
    });
    if (asked.json)
        fmt::print("{}", json_text({{"profile", checked->file},
                                    {"as_predicted", changed == 0},
                                    {"calls", to_json(points)}}));
    else
        fmt::print("{}{}: {}\n", table_of(points, asked.threshold), checked->file,
                   changed == 0
                       ? "the network behaves as it says"
                       : fmt::format("{} of {} calls are more than {} beyond the prediction (*); "
                                     "look at the network, or study it again",
                                     changed, points.size(), format_percent(asked.threshold)));
    return changed == 0 ? ExitStatus::done : ExitStatus::no;
}

Result<ExitStatus> check_site(const CheckArguments& asked) {
    if (!launched_process())
        return bad_input("site check must run under mpirun or srun, for example: mpirun -n 12 "
                         "alltold site check");
    const TemporaryCampaign store;
    auto status = Result(ExitStatus::done);
    const auto work = [](const mpi::Session& session, const campaign::MeasureOptions& all) {
        return campaign::measure(session, all);
    };
    const auto ran = on_all_ranks(Result(options_of(asked, store.file())), work,
                                  [&](const auto&) { status = compare(asked, store.file()); });
    return ran && *ran == ExitStatus::done ? status : ran;
}

} // namespace

void declare_site_check(CLI::App& app, Action& chosen) {
    const auto asked = std::make_shared<CheckArguments>();
    auto& subcommand = add_subcommand(app, "check",
                                      "Times a few calls and says whether the network still "
                                      "behaves as the profile of the site says",
                                      "mpirun -n 12 alltold site check");
    subcommand.add_option("--profile", asked->profile,
                          "profile or study's folder (default: that of the site for these hosts)");
    add_budget(subcommand, asked->budget_s, "time limit for measuring")->default_str("5s");
    add_share(subcommand, "--threshold", asked->threshold,
              "smallest distance from the predicted interval that counts");
    add_clusters(subcommand, asked->clusters);
    add_host_file(subcommand, asked->clusters);
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.footer("Exit status 1 if a call is beyond the prediction.");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return check_site(*asked); }; });
}

} // namespace alltold::cli
