// SPDX-License-Identifier: BSD-3-Clause
// alltold site init, show: where programs find profiles.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/command_output.hpp"
#include "cli/input_files.hpp"
#include "cli/subcommand.hpp"
#include "core/environment.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "site/give_back.hpp"
#include "site/host_patterns.hpp"
#include "site/site_folder.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

namespace fs = std::filesystem;

constexpr FileKind hosts_kind{"a site's file of hosts", "The hosts of this network"};

/// For the administrator who edits the file.
constexpr const char* hosts_heading =
    "# The hosts of this network, one name or pattern a line; the first that fits counts.\n"
    "# '*' any characters, '?' one, [1-400,500] numbers, [1-] from 1 on.\n"
    "# A line '# cluster: NAME' puts the hosts below it into that cluster.\n";

struct InitArguments {
    std::string folder, profile, network;
};

/// The hosts of a profile by rank, or this one.
struct StudiedHosts {
    std::vector<std::string> names;
    std::vector<int> cluster_of;
};

StudiedHosts hosts_of(const Profile* profile) {
    if (!profile || profile->provenance.hosts.empty())
        return {{host_name()}, {0}};
    StudiedHosts hosts{profile->provenance.hosts, {}};
    for (int rank = 0; rank < std::ssize(hosts.names); ++rank)
        hosts.cluster_of.push_back(profile->provenance.clusters.cluster_of(rank));
    return hosts;
}

Status make_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (!failed && fs::is_directory(folder, failed))
        return Done{};
    return environment(fmt::format("{}: cannot make this folder: {}", folder.string(),
                                   failed ? failed.message() : "a file has its name"));
}

/// The network for these hosts: one that names them all, else that of the name asked for, which is
/// made unless it is there.
Result<fs::path> network_folder(const InitArguments& asked, const StudiedHosts& hosts) {
    ALLTOLD_TRY(networks, site::read_site(asked.folder));
    std::string missing;
    const auto* const known = site::network_of(*networks, hosts.names, missing);
    if (known && (asked.network.empty() || known->name == asked.network))
        return known->folder;
    const auto name = asked.network.empty() ? "network" : asked.network;
    const auto folder = fs::path(asked.folder) / name;
    const auto file = folder / site::hosts_file;
    if (std::ranges::find(*networks, name, &site::SiteNetwork::name) != networks->end())
        return bad_input(fmt::format("{}: does not name host {}; add it, or name another network "
                                     "with --network",
                                     file.string(), hosts.names.front()));
    if (known)
        return bad_input(fmt::format("--network {}: {} already names these hosts", name,
                                     (known->folder / site::hosts_file).string()));
    ALLTOLD_TRY_DONE(make_folder(folder));
    ALLTOLD_TRY_DONE(replace_text_file(
        file, hosts_heading + site::host_patterns(hosts.names, hosts.cluster_of), hosts_kind));
    return folder;
}

Result<ExitStatus> init(const InitArguments& asked) {
    ALLTOLD_TRY(profile, profile_if_named(asked.profile));
    std::optional<site::LibraryVersion> library;
    if (*profile) {
        library = site::library_version((*profile)->provenance.mpi_library);
        if (!library)
            return bad_input(fmt::format("{}: provenance: mpi_library: '{}' names no MPI library "
                                         "with a version, such as Open MPI v4.1.4",
                                         asked.profile, (*profile)->provenance.mpi_library));
        if ((*profile)->rules.empty())
            return bad_input(
                fmt::format("{0}: has no rules; run 'alltold rules {0} --write'", asked.profile));
    }
    if (asked.network.find('/') != std::string::npos || asked.network.starts_with('.'))
        return bad_input(fmt::format("--network {}: is a name, not a path", asked.network));
    ALLTOLD_TRY_DONE(make_folder(asked.folder));
    ALLTOLD_TRY(folder, network_folder(asked, hosts_of(*profile ? &**profile : nullptr)));
    fmt::print("{}: the hosts of this network; edit it if others belong to it\n",
               (*folder / site::hosts_file).string());
    if (*profile) {
        const auto file = *folder / (library->text() + ".json");
        ALLTOLD_TRY_DONE(save_profile(**profile, file));
        fmt::print("{}: the profile for {}\n", file.string(),
                   mpi_library_text((*profile)->provenance.mpi_library));
    } else {
        fmt::print("Add a study: {} site init {} STUDY_FOLDER\n", command_name(), asked.folder);
    }
    const auto folders = site::site_folders();
    const auto found = std::ranges::any_of(folders, [&](const site::SiteFolder& one) {
        std::error_code failed;
        return fs::equivalent(one.path, asked.folder, failed);
    });
    if (!found)
        fmt::print("Programs find it by: export ALLTOLD_SITE={}\n",
                   fs::absolute(asked.folder).lexically_normal().string());
    return ExitStatus::done;
}

std::string day_of(std::int64_t time_s) {
    return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(time_s)));
}

nlohmann::ordered_json to_json(const site::LearnedShape& shape) {
    auto choices = nlohmann::ordered_json::array();
    for (const auto& [choice, share, error] : shape.choices)
        choices.push_back({{"choice", text_of(choice)}, {"share", share}, {"error", error}});
    return {{"collective", name_of(shape.collective)},
            {"size_bytes", shape.size_bytes},
            {"layout", shape.layout},
            {"library", shape.library},
            {"alltold", shape.version},
            {"time", shape.time_s},
            {"jobs", shape.jobs},
            {"calls", shape.calls},
            {"library_s", shape.library_s},
            {"choices", choices}};
}

/// A row for each shape: what won, and in how many jobs.
std::string table_of(const site::Learned& learned) {
    TextTable table;
    table.columns({"collective", "ranks"}, TextTable::Align::left);
    table.column("from");
    table.column("runs", TextTable::Align::left);
    table.columns({"MPI library", "x", "jobs", "calls", "last"});
    for (const auto* shape : learned.shapes()) {
        const auto& winner = shape->choices.front();
        table.row({std::string(name_of(shape->collective)), shape->layout,
                   shape->size_bytes > 0 ? format_size(static_cast<double>(shape->size_bytes)) : "",
                   text_of(winner.choice), format_time(shape->library_s),
                   format_ratio(winner.share), std::to_string(shape->jobs),
                   fmt::format("{:.0f}", shape->calls), day_of(shape->time_s)});
    }
    return table.text();
}

std::string text_of(const site::Learned& learned) {
    if (learned.empty())
        return "";
    auto text = "What jobs learned, by blocks of calls (x: time over the MPI library's own):\n" +
                table_of(learned);
    if (learned.wrong_lines() > 0)
        text += fmt::format("{} lines are not whole, and left out\n", learned.wrong_lines());
    return text;
}

nlohmann::ordered_json to_json(const site::SiteNetwork& network, const site::Learned& learned) {
    auto shapes = nlohmann::ordered_json::array();
    for (const auto* shape : learned.shapes())
        shapes.push_back(to_json(*shape));
    auto profiles = nlohmann::ordered_json::array();
    for (const auto& profile : network.profiles)
        profiles.push_back({{"mpi_library", profile.library.library},
                            {"version", profile.library.version},
                            {"file", profile.file.string()}});
    return {{"network", network.name},
            {"hosts", (network.folder / site::hosts_file).string()},
            {"profiles", profiles},
            {"learned", shapes}};
}

std::string text_of(const site::SiteNetwork& network) {
    auto text = fmt::format("network {}: hosts in {}\n", network.name,
                            (network.folder / site::hosts_file).string());
    if (network.profiles.empty())
        text += "  no profile\n";
    for (const auto& profile : network.profiles)
        text += fmt::format("  {}: {}\n", profile.library.text(), profile.file.string());
    return text;
}

Result<ExitStatus> show(bool json) {
    auto all = nlohmann::ordered_json::array();
    const auto folders = site::site_folders();
    for (const auto& folder : folders) {
        ALLTOLD_TRY(networks, site::read_site(folder.path));
        auto of_folder = nlohmann::ordered_json::array();
        if (!json)
            fmt::print("{} ({})\n", folder.path.string(), folder.from);
        for (const auto& network : *networks) {
            const auto learned = site::read_learned(network.folder / site::learned_file);
            of_folder.push_back(to_json(network, learned));
            if (!json)
                fmt::print("{}{}", text_of(network), text_of(learned));
        }
        all.push_back(
            {{"folder", folder.path.string()}, {"from", folder.from}, {"networks", of_folder}});
    }
    if (json)
        fmt::print("{}", json_text({{"folders", all}}));
    else if (folders.empty())
        fmt::print("no site folder; make one: {} site init ~/.config/alltold STUDY_FOLDER\n",
                   command_name());
    return ExitStatus::done;
}

} // namespace

void declare_site_init(CLI::App& app, Action& chosen) {
    const auto asked = std::make_shared<InitArguments>();
    auto& subcommand =
        add_subcommand(app, "init", "Makes a site folder, or adds a study's profile to one",
                       "alltold site init ~/.config/alltold alltold-study");
    subcommand.add_option("folder", asked->folder, "the site folder")->required();
    subcommand.add_option("study", asked->profile,
                          "a study's folder or profile.json (default: this host, no profile)");
    subcommand.add_option("--network", asked->network,
                          "the network's name (default: the one that names the study's hosts, "
                          "else a new one, 'network')");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return init(*asked); }; });
}

void declare_site_show(CLI::App& app, Action& chosen) {
    const auto json = std::make_shared<bool>(false);
    auto& subcommand = add_subcommand(
        app, "show", "Lists the site folders, their networks and profiles, and what jobs learned",
        "alltold site show");
    subcommand.add_flag("--json", *json, "print JSON");
    subcommand.callback([json, &chosen] { chosen = [json] { return show(*json); }; });
}

void declare_site(CLI::App& app, Action& chosen) {
    auto& subcommand =
        add_subcommand(app, "site", "Keeps profiles where programs find them by their hosts",
                       "alltold site init ~/.config/alltold alltold-study\n"
                       "  mpirun -n 12 alltold exec -- ./program\n"
                       "  alltold site show");
    subcommand.require_subcommand(1);
    declare_site_init(subcommand, chosen);
    declare_site_show(subcommand, chosen);
#ifdef ALLTOLD_WITH_MPI
    declare_site_check(subcommand, chosen);
#endif
}

} // namespace alltold::cli
