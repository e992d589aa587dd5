// SPDX-License-Identifier: BSD-3-Clause
// Files that several subcommands read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::cli {

/// A campaign's points and where they were measured.
struct ReadCampaign {
    std::vector<PointSamples> points;
    Provenance where;
};

/// Fails as Campaign::read, points and provenance do.
Result<ReadCampaign> read_campaign(const std::string& file);

/// The profile of that name; nothing for an empty one.
Result<std::optional<Profile>> profile_if_named(const std::string& name);

} // namespace alltold::cli
