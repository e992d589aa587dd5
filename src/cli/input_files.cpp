// SPDX-License-Identifier: BSD-3-Clause
// Reads them whole.
#include "cli/input_files.hpp"

#include <utility>

namespace alltold::cli {

Result<ReadCampaign> read_campaign(const std::string& file) {
    const auto campaign = Campaign::read(file);
    if (!campaign)
        return campaign.error();
    auto points = campaign->points();
    if (!points)
        return points.error();
    auto where = campaign->provenance();
    if (!where)
        return where.error();
    return ReadCampaign{std::move(*points), std::move(*where)};
}

Result<std::optional<Profile>> profile_if_named(const std::string& name) {
    if (name.empty())
        return std::optional<Profile>();
    auto profile = load_profile(name);
    if (!profile)
        return profile.error();
    return std::optional(std::move(*profile));
}

} // namespace alltold::cli
