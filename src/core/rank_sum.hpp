// SPDX-License-Identifier: BSD-3-Clause
// Whether the values of one sample are smaller than those of another.
#pragma once

#include <span>

namespace alltold {

/// How likely chance alone makes `small` at least this much smaller than `large` where both come
/// from one distribution: the exact one-sided rank-sum test (Mann and Whitney 1947); equal values
/// count as half. 1 if a sample is empty. Takes time as the cube of the number of values.
double rank_sum_chance(std::span<const double> small, std::span<const double> large);

} // namespace alltold
