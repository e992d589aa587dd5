// SPDX-License-Identifier: BSD-3-Clause
// Profiles and campaigns as subcommands read them: a file, or the folder of a study that has one.
#pragma once

#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::cli {

/// The profile of that name: built in ("@..."), a file, or the one in a study's folder. Fails for a
/// folder without one and for a campaign, and names the file to give.
Result<std::string> profile_path(const std::string& name);
/// As above, for campaigns.
Result<std::string> campaign_path(const std::string& name);

/// Fails as profile_path and load_profile do.
Result<Profile> read_profile(const std::string& name);
/// Fails as campaign_path and Campaign::read do.
Result<Campaign> open_campaign(const std::string& name);

/// A campaign's points and where they were measured.
struct ReadCampaign {
    std::vector<PointSamples> points;
    Provenance where;
};

/// Fails as open_campaign, points and provenance do.
Result<ReadCampaign> read_campaign(const std::string& name);

/// The profile of that name; nothing for an empty one.
Result<std::optional<Profile>> profile_if_named(const std::string& name);

/// Puts the profile's name before `error`, which a prediction for these clusters returned. If a
/// profile of one cluster was asked about several, says that instead.
Error not_predicted(const std::string& name, const Profile& profile, const Clusters& clusters,
                    const Error& error);

} // namespace alltold::cli
