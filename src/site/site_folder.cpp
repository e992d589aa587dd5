// SPDX-License-Identifier: BSD-3-Clause
// Looks at names of folders and files, and reads the lists of hosts.
#include "site/site_folder.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "core/environment.hpp"
#include "core/text.hpp"
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

/// Parts of two versions, between dots, that are equal from the start.
int common_parts(std::string_view a, std::string_view b) {
    const auto parts_a = split_at(a, '.'), parts_b = split_at(b, '.');
    const auto [end, other] = std::ranges::mismatch(parts_a, parts_b);
    return static_cast<int>(end - parts_a.begin());
}

bool is(int (*kind)(int), char c) {
    return kind(static_cast<unsigned char>(c)) != 0;
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

/// Letters up to the first word with a number.
std::optional<LibraryVersion> library_version(std::string_view text) {
    LibraryVersion found;
    std::string line(text.substr(0, text.find('\n')));
    std::replace(line.begin(), line.end(), '\t', ' ');
    for (auto word : split_at(line, ' ')) {
        word = word.substr(0, word.find(','));
        if (word == "Version:") // of MPICH, before the number
            continue;
        const auto number = word.substr(word.starts_with('v') ? 1 : 0);
        if (!number.empty() && is(std::isdigit, number.front())) {
            const auto end = std::find_if(number.begin(), number.end(),
                                          [](char c) { return !is(std::isalnum, c) && c != '.'; });
            found.version.assign(number.begin(), end);
            break;
        }
        for (const char c : word)
            if (is(std::isalpha, c))
                found.library += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (found.library.empty() || found.version.empty())
        return std::nullopt;
    return found;
}

std::optional<LibraryVersion> parse_library_version(std::string_view word) {
    const auto dash = word.rfind('-');
    if (dash == word.npos || dash == 0 || dash + 1 == word.size())
        return std::nullopt;
    return LibraryVersion{std::string(word.substr(0, dash)), std::string(word.substr(dash + 1))};
}

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
