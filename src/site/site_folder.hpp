// SPDX-License-Identifier: BSD-3-Clause
// The folders that hold what is known of a site's networks, and what is in them.
//
//     FOLDER/NETWORK/hosts                 patterns of its hosts' names, with clusters
//     FOLDER/NETWORK/openmpi-4.1.4.json    a profile for each MPI library and version
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "topology/host_file.hpp"

namespace alltold::site {

inline constexpr const char* hosts_file = "hosts";

/// An MPI library and its version as one word, by which profiles of a site are named.
struct LibraryVersion {
    std::string library; ///< "openmpi", "mpich": letters and digits
    std::string version; ///< "4.1.4"

    /// "openmpi-4.1.4"
    std::string text() const { return library + "-" + version; }
    bool operator==(const LibraryVersion&) const = default;
};

/// From the text of MPI_Get_library_version. Nothing where it has no version.
std::optional<LibraryVersion> library_version(std::string_view text);
/// From LibraryVersion::text().
std::optional<LibraryVersion> parse_library_version(std::string_view word);

struct SiteFolder {
    std::filesystem::path path;
    std::string from; ///< "ALLTOLD_SITE", "the user's configuration folder"
};

/// Those to look in, first one first: that of ALLTOLD_SITE alone where it is set (none if it is
/// "off"); else the user's configuration folder and /etc/alltold, as far as they exist.
std::vector<SiteFolder> site_folders();

struct SiteProfile {
    std::filesystem::path file;
    LibraryVersion library;
};

/// Hosts on one network, which may have several clusters.
struct SiteNetwork {
    std::string name; ///< of its folder
    std::filesystem::path folder;
    std::string hosts_text; ///< of its file of hosts
    HostFile hosts;
    std::vector<SiteProfile> profiles; ///< in order of their names
};

/// The networks of a folder, by name. Fails, naming the file, for a folder that cannot be read and
/// for a wrong pattern.
Result<std::vector<SiteNetwork>> read_site(const std::filesystem::path& folder);

/// How well a profile of a site suits a program.
enum class Suits { same, other_version, other_library };

struct FoundProfile {
    SiteProfile profile;
    Suits suits = Suits::same;
};

/// For this MPI library: its version, else the nearest version of it, else the first of another
/// library. Nothing where there are none.
std::optional<FoundProfile> profile_for(const SiteNetwork& network, const LibraryVersion& library);

/// The network that names all of `hosts`; if none does, `missing` gets a host that the one that
/// names most of them does not.
const SiteNetwork* network_of(std::span<const SiteNetwork> networks,
                              std::span<const std::string> hosts, std::string& missing);

} // namespace alltold::site
