// SPDX-License-Identifier: BSD-3-Clause
// Looks at names of folders and files, and reads the lists of hosts.
#include "site/site_folder.hpp"

#include <algorithm>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "core/environment.hpp"
#include "core/text_file.hpp"

namespace alltold::site {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_of_all = "/etc/alltold";

fs::path folder_of_user() {
    if (const auto config = variable("XDG_CONFIG_HOME"); !config.empty())
        return fs::path(config) / "alltold";
    const auto home = variable("HOME");
    return home.empty() ? fs::path() : fs::path(home) / ".config/alltold";
}

/// The names in a folder, sorted.
Result<std::vector<fs::path>> entries_of(const fs::path& folder) {
    std::error_code failed;
    fs::directory_iterator entries(folder, failed);
    std::vector<fs::path> all;
    for (; !failed && entries != fs::directory_iterator(); entries.increment(failed))
        all.push_back(entries->path());
    if (failed)
        return bad_input(fmt::format("{}: {}; expected a site folder, made by 'alltold site init'",
                                     folder.string(), failed.message()));
    std::ranges::sort(all);
    return all;
}

Result<SiteNetwork> read_network(const fs::path& folder) {
    const auto file = folder / hosts_file;
    ALLTOLD_TRY(text, read_text_file(file, "patterns of host names"));
    ALLTOLD_TRY(hosts, HostFile::parse(*text, file.string()));
    ALLTOLD_TRY_DONE(hosts->check_patterns());
    ALLTOLD_TRY(files, entries_of(folder));
    SiteNetwork network{
        folder.filename().string(), folder, std::move(*text), std::move(*hosts), {}};
    for (const auto& profile : *files)
        if (profile.extension() == ".json")
            if (auto library = parse_library_version(profile.stem().string()))
                network.profiles.push_back({profile, std::move(*library)});
    return network;
}

} // namespace

std::vector<SiteFolder> site_folders() {
    const auto asked = variable("ALLTOLD_SITE");
    if (asked == "off")
        return {};
    if (!asked.empty())
        return {{asked, "ALLTOLD_SITE"}};
    std::vector<SiteFolder> folders;
    for (const auto& [path, from] : {std::pair(folder_of_user(), "the user's configuration folder"),
                                     {fs::path(folder_of_all), "the machine's"}}) {
        std::error_code failed;
        if (!path.empty() && fs::is_directory(path, failed))
            folders.push_back({path, from});
    }
    return folders;
}

Result<std::vector<SiteNetwork>> read_site(const fs::path& folder) {
    ALLTOLD_TRY(entries, entries_of(folder));
    std::vector<SiteNetwork> networks;
    for (const auto& entry : *entries) {
        std::error_code failed;
        if (!fs::exists(entry / hosts_file, failed))
            continue;
        ALLTOLD_TRY(network, read_network(entry));
        networks.push_back(std::move(*network));
    }
    return networks;
}

std::optional<FoundProfile> profile_for(const SiteNetwork& network, const LibraryVersion& library) {
    const auto rank_of = [&](const SiteProfile& profile) {
        const bool same = profile.library.library == library.library;
        return std::tuple(same, same && profile.library.version == library.version,
                          same ? common_parts(profile.library.version, library.version) : 0);
    };
    const auto best = std::ranges::max_element(network.profiles, {}, rank_of);
    if (best == network.profiles.end())
        return std::nullopt;
    return FoundProfile{*best, best->library == library                   ? Suits::same
                               : best->library.library == library.library ? Suits::other_version
                                                                          : Suits::other_library};
}

const SiteNetwork* network_of(std::span<const SiteNetwork> networks,
                              std::span<const std::string> hosts, std::string& missing) {
    std::ptrdiff_t most = -1;
    for (const auto& network : networks) {
        const auto named = std::ranges::count_if(
            hosts, [&](const std::string& host) { return network.hosts.names(host); });
        if (named == std::ssize(hosts))
            return &network;
        if (named > most) {
            most = named;
            missing = *std::ranges::find_if(
                hosts, [&](const std::string& host) { return !network.hosts.names(host); });
        }
    }
    return nullptr;
}

} // namespace alltold::site
