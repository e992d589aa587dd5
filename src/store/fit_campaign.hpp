// SPDX-License-Identifier: BSD-3-Clause
// From a campaign's raw samples to a profile.
#pragma once

#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold {

/// The fit that is wanted, and the name of the result.
struct FitRequest {
    std::string name;   ///< the profile's
    std::string source; ///< the profile's: the campaign's file, say
    /// True for points held out of fits to check predictions on them.
    std::function<bool(const Point&)> held_out = [](const Point&) { return false; };
    std::uint64_t seed = 1; ///< of the bootstrap
    /// Only rules that calls on these follow; empty: all.
    std::vector<Clusters> calls = {};
};

/// Fits all models that the points allow (fit_models) and their corrections from measured
/// collectives (fit_corrections), and compares models on measured calls of alltold's algorithms
/// (errors_of_algorithms). Models that cannot be fitted are in `refused` with the reason.
Profile fit_points(std::span<const PointSamples> points, const Provenance& provenance,
                   const FitRequest& request);

/// Likewise for all points of a campaign, and the rules that follow: by the winners of its
/// eliminations, if any (make_rules). Fails if the campaign cannot be read.
Result<Profile> fit_campaign(const Campaign& campaign, const FitRequest& request);

} // namespace alltold
