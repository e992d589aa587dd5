// SPDX-License-Identifier: BSD-3-Clause
// A campaign's samples of one probe, as fits read them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/median.hpp"
#include "network/curve_fit.hpp"
#include "store/fit_campaign.hpp"

namespace alltold {

/// The points of a probe that may be looked at.
std::vector<const PointSamples*> sampled(std::span<const PointSamples> points,
                                         std::string_view probe, const FitRequest& request);

/// One point's series; points of one pair of ranks are one group.
Series series_of(const PointSamples& samples);

/// All points of a probe as a curve (fit_curve), those with fewer than three repetitions left out.
Result<SizeCurve> fit_sampled(std::span<const PointSamples> points, std::string_view probe,
                              std::string_view what, const FitRequest& request);

} // namespace alltold
