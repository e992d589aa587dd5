// SPDX-License-Identifier: BSD-3-Clause
// The model of congestion from a campaign's all-to-alls of the MPI library.
#pragma once

#include <span>

#include "store/fit_campaign.hpp"

namespace alltold {

/// Sets `profile.congestion` from all process counts measured on as many clusters as the campaign
/// has, or says in `profile.refused` why there is none. The rates and the switch buffer are the
/// profile's, so that these must have been fitted before.
void fit_congestion(Profile& profile, std::span<const PointSamples> points,
                    const FitRequest& request);

} // namespace alltold
