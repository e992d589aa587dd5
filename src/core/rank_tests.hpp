// SPDX-License-Identifier: BSD-3-Clause
// Tests by ranks, valid for whatever distribution, and the shifts that belong to them.
#pragma once

#include "core/statistics.hpp"

namespace alltold {

/// Two-sided p-value of Wilcoxon's signed-rank test: how likely values symmetric about zero would
/// lie at least as far to one side. Exact up to 60 values, else normal; zeros are left out
/// (Hollander and Wolfe, section 3.1). 1 without values.
double signed_rank_p(std::span<const double> values);

/// Two-sided p-value of Wilcoxon's rank-sum test: how likely two samples of one distribution would
/// differ at least as much in location. Exact up to 40 values in all, else normal, with midranks
/// for ties (Hollander and Wolfe, section 4.1). 1 where one sample is empty.
double rank_sum_p(std::span<const double> one, std::span<const double> other);

/// The centre of values that are symmetric about it: the median of their pairwise means (Hodges and
/// Lehmann 1963) and its interval of at least the given level by the signed ranks. Unbounded for
/// too few values. One value or more.
Estimate symmetric_centre(std::span<const double> values, double level = 0.95);

/// Probability that chance alone orders `values` (in order of the other quantity) at least this
/// much upwards: Kendall's test, exact, one-sided; of equal neighbours neither is above. 1 to 170
/// values; 1 for a single one.
double kendall_upward_probability(std::span<const double> values);

/// Probability that chance alone gives x and y a rank correlation this high: Spearman's test,
/// one-sided, normal approximation, equal values share their mean rank. Same length, at least 3; 1
/// when either is constant.
double spearman_upward_probability(std::span<const double> x, std::span<const double> y);

} // namespace alltold
