// SPDX-License-Identifier: BSD-3-Clause
// From a campaign's raw samples to a profile.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/result.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold {

/// What to fit, and what to call the outcome.
struct FitRequest {
    std::string name;   ///< the profile's
    std::string source; ///< the profile's: the campaign's file, say
    /// True for points that must not be looked at, since predictions will be checked on them.
    std::function<bool(const Point&)> held_out = [](const Point&) { return false; };
    std::uint64_t seed = 1; ///< of the bootstrap
};

/// Fits all models that the points allow (fit_models), and what measured collectives say of them
/// (fit_corrections). What cannot be fitted is in `refused` with the reason.
Profile fit_points(std::span<const PointSamples> points, const Provenance& provenance,
                   const FitRequest& request);

/// The same for all points of a campaign, and the rules that follow: by the winners of races where
/// it holds some (make_rules). Fails when the campaign cannot be read.
Result<Profile> fit_campaign(const Campaign& campaign, const FitRequest& request);

} // namespace alltold
