// SPDX-License-Identifier: BSD-3-Clause
// The cluster model's parameters, from a campaign's samples.
#pragma once

#include <span>

#include "store/fit_campaign.hpp"

namespace alltold {

/// Sets `profile.cluster` from the probes of TW99's parameters: g_s and g_r from trains, without
/// which there is no model; the others where they can be told, refused by name where not and then
/// 0. L(m, p) has the other parts taken off, as far as they are known.
void fit_cluster(Profile& profile, std::span<const PointSamples> points, const FitRequest& request);

} // namespace alltold
