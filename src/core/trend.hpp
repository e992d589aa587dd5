// SPDX-License-Identifier: BSD-3-Clause
// Rank tests of whether one quantity grows with another.
#pragma once

#include <span>

namespace alltold {

/// Probability that chance alone orders `values` (in order of the other quantity) at least this
/// much upwards: Kendall's test, exact, one-sided; of equal neighbours neither is above. 1 to 170
/// values; 1 for a single one.
double kendall_upward_probability(std::span<const double> values);

/// Probability that chance alone gives x and y a rank correlation this high: Spearman's test,
/// one-sided, normal approximation, equal values share their mean rank. Same length, at least 3; 1
/// when either is constant.
double spearman_upward_probability(std::span<const double> x, std::span<const double> y);

} // namespace alltold
