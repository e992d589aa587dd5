// SPDX-License-Identifier: BSD-3-Clause
// Medians, quantiles, and confidence intervals of medians.
#pragma once

#include <span>

#include "core/estimate.hpp"

namespace alltold {

/// The sample median of one or more finite values, in any order.
double median(std::span<const double> values);

/// The quantile of one or more finite values, in any order, at `level` from 0 to 1, interpolated
/// linearly between order statistics (R's type 7).
double quantile(std::span<const double> values, double level);

/// The median of one or more finite values and its interval between two order statistics, which
/// holds the true median with at least the probability `level` (0 < level < 1) whatever the
/// distribution: exact from the binomial, no random numbers (David and Nagaraja, Order Statistics,
/// section 7.1). Too few values for the level (fewer than six at 0.95) leave it unbounded.
Estimate median_interval(std::span<const double> values, double level = 0.95);

/// Standard error of the median of one or more finite values as if they were normal about it, with
/// the spread taken from their median absolute deviation, so that a few 200 ms time-outs do not
/// set it. Zero for equal values or a single one.
double median_standard_error(std::span<const double> values);

} // namespace alltold
