// SPDX-License-Identifier: BSD-3-Clause
// Settings that this process reads from its environment, before any rank is asked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "network/network.hpp"
#include "preload/site_of_job.hpp"
#include "runtime/environment.hpp"

namespace alltold::preload {

/// Which calls are compared with the library's own: none, those whose results are the same either
/// way, or all.
enum class Compare : std::uint8_t { off, exact, all };

/// All that decides what runs.
struct Settings {
    std::shared_ptr<const RuleSources> rules; ///< null where has_settings() is false
    std::shared_ptr<const Network> network;   ///< may be null
    std::string profile;                      ///< its path; empty: none
    std::vector<std::string> hosts;   ///< the profile's, one a rank; empty where it names none
    std::vector<int> cluster_of_host; ///< as `hosts`
    bool ranks_are_hosts = false;     ///< several were on one, and the profile counts each as one
    std::string cluster_sizes;        ///< ALLTOLD_CLUSTERS: "6+6"
    std::string host_file_name;       ///< ALLTOLD_HOSTFILE, or a site's file of hosts
    std::string host_file;            ///< its text
    Compare compare = Compare::exact; ///< ALLTOLD_COMPARE
    std::optional<SiteOfJob> site;    ///< where the profile is of one
    bool observe_only = false;        ///< ALLTOLD_LOG=profile: all calls are the library's own
    /// Equal on all ranks that read the same, and run the same version of alltold.
    std::uint64_t hash = 0;
};

/// This library's: "1.2.0 0123456789", with the commit, since versions between two releases decide
/// otherwise.
extern const char* const version;

/// Whether the environment names rules or a profile at all.
bool has_settings();

/// Reads ALLTOLD_PROFILE, ALLTOLD_RULES, ALLTOLD_CLUSTERS, ALLTOLD_HOSTFILE, ALLTOLD_COMPARE and
/// ALLTOLD_LOG. Local. Fails for a file that is missing or is not what it should be, naming it.
Result<Settings> read_settings();
/// Reads the settings with a site's profile. Its hosts are in the clusters that the network's file
/// names; if it names none, in those of the profile, and all in one where that has one.
Result<Settings> read_settings(const SiteOfJob& site);

} // namespace alltold::preload
