// SPDX-License-Identifier: BSD-3-Clause
// The normal distribution's quantiles.
#pragma once

namespace alltold {

/// Probability that a standard normal value is below `z`.
double normal_probability(double z);

/// The z below which a standard normal value falls with `probability`, 0 < probability < 1.
double normal_quantile(double probability);

} // namespace alltold
