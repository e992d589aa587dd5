// SPDX-License-Identifier: BSD-3-Clause
// Comparing two uncertain times.
#pragma once

#include "core/estimate.hpp"

namespace alltold {

/// The standard deviation of the logarithm of a positive number with a 90 % interval, taken for
/// log-normal; at least a thousandth.
double log_deviation(const Estimate& estimate);

/// How likely one positive number is larger than another, both log-normal, independent, with 90 %
/// intervals.
double chance_of_more(const Estimate& one, const Estimate& other);

} // namespace alltold
