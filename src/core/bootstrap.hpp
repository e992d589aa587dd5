// SPDX-License-Identifier: BSD-3-Clause
// Resampling, and intervals from resampled statistics (Efron and Tibshirani 1993, chapter 13).
#pragma once

#include <span>
#include <vector>

#include "core/estimate.hpp"
#include "core/random.hpp"

namespace alltold {

/// As many values as given, drawn with replacement from one or more.
std::vector<double> resample(std::span<const double> values, Random& random);

/// The median and the middle `level` (0 < level < 1) of one or more draws of a statistic: the
/// percentile interval.
Estimate percentile_interval(std::span<const double> draws, double level = 0.95);

/// `value`, estimated from the data themselves, with the percentile interval of one or more draws,
/// widened to hold it.
Estimate estimate_from(double value, std::span<const double> draws);

} // namespace alltold
