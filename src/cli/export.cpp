// SPDX-License-Identifier: BSD-3-Clause
// alltold export csv, simgrid: files for other tools.
#include <fmt/format.h>

#include "cli/command_output.hpp"
#include "cli/input_files.hpp"
#include "store/export/export.hpp"

namespace alltold::cli {
namespace {

constexpr const char* export_example =
    "alltold export openmpi net.json -o openmpi.rules\n"
    "  alltold export csv net.db -o samples.csv\n"
    "  alltold export simgrid net.json -o platform.xml --write-hosts hosts";

struct SimGridArguments {
    std::string profile, output, hosts_file;
    std::optional<Clusters> clusters;
};

Result<ExitStatus> export_csv(const std::string& name, const std::string& output) {
    ALLTOLD_TRY(campaign, open_campaign(name));
    ALLTOLD_TRY(points, campaign->points());
    ALLTOLD_TRY_DONE(write_output(output, samples_csv(*points), {"samples as CSV", csv_header}));
    return ExitStatus::done;
}

constexpr FileKind platform_kind{"a SimGrid platform", simgrid_mark};
constexpr FileKind hosts_kind{"a SimGrid host file", "host-0"};

Result<ExitStatus> export_simgrid(const SimGridArguments& asked) {
    for (const auto& [file, kind] :
         {std::pair(asked.output, platform_kind), std::pair(asked.hosts_file, hosts_kind)})
        ALLTOLD_TRY_DONE(may_write_output(file, kind)); // before anything is written
    ALLTOLD_TRY(profile, read_profile(asked.profile));
    const auto clusters = asked.clusters.value_or(profile->provenance.clusters);
    ALLTOLD_TRY(platform, in_context(asked.profile, simgrid_platform(profile->network, clusters)));
    ALLTOLD_TRY_DONE(write_output(asked.output, *platform, platform_kind));
    if (!asked.hosts_file.empty())
        ALLTOLD_TRY_DONE(write_output(asked.hosts_file, simgrid_hosts(clusters), hosts_kind));
    return ExitStatus::done;
}

void add_output(CLI::App& subcommand, std::string& output) {
    subcommand.add_option("-o,--output", output, "file to write (default: standard output)");
}

void declare_export_csv(CLI::App& app, Action& chosen) {
    auto& subcommand = add_subcommand(app, "csv", "Writes every sample of a campaign, one per line",
                                      "alltold export csv net.db -o samples.csv");
    const auto campaign = std::make_shared<std::string>(), output = std::make_shared<std::string>();
    subcommand.add_option("campaign", *campaign, "campaign made by measure or study")->required();
    add_output(subcommand, *output);
    subcommand.callback(
        [=, &chosen] { chosen = [campaign, output] { return export_csv(*campaign, *output); }; });
}

void declare_export_simgrid(CLI::App& app, Action& chosen) {
    auto& subcommand = add_subcommand(
        app, "simgrid", "Writes the profile's links as a calibrated platform for SimGrid's smpirun",
        "alltold export simgrid net.json -o platform.xml --write-hosts hosts\n"
        "  smpirun -platform platform.xml -hostfile hosts -np 12 ./program");
    subcommand.footer("Rates, delays, start-ups and the eager limit. SimGrid loses no packets, so "
                      "it cannot predict exchanges that overflow buffers.");
    const auto asked = std::make_shared<SimGridArguments>();
    subcommand.add_option("profile", asked->profile, "profile.json")->required();
    add_clusters_of_call(subcommand, asked->clusters,
                         "hosts per cluster, such as 6+6, or 6x4 (default: the profile's)");
    subcommand.add_option("--write-hosts", asked->hosts_file,
                          "also write the hosts, in the order of ranks, for smpirun");
    add_output(subcommand, asked->output);
    subcommand.callback([=, &chosen] { chosen = [asked] { return export_simgrid(*asked); }; });
}

} // namespace

void declare_export(CLI::App& app, Action& chosen) {
    auto& subcommand = add_subcommand(
        app, "export", "Writes rules for MPI libraries, and files for other tools", export_example);
    subcommand.require_subcommand(1);
    declare_export_rules(subcommand, chosen);
    declare_export_csv(subcommand, chosen);
    declare_export_simgrid(subcommand, chosen);
}

} // namespace alltold::cli
