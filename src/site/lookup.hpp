// SPDX-License-Identifier: BSD-3-Clause
// The network and the profile for one job.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/result.hpp"
#include "site/site_folder.hpp"

namespace alltold::site {

/// The network of a job's hosts, and its profile.
struct SiteKnowledge {
    SiteNetwork network;
    std::optional<FoundProfile> profile;
    std::string why; ///< one sentence: which was found where, and how well it suits
};

/// Looks in site_folders() for the network that names all hosts of a job. Nothing where none does;
/// `why_not` then says which host is missing where, or nothing if there are no folders. Fails as
/// read_site does.
Result<std::optional<SiteKnowledge>> look_up(std::span<const std::string> hosts,
                                             const LibraryVersion& library, std::string& why_not);

} // namespace alltold::site
