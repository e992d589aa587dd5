// SPDX-License-Identifier: BSD-3-Clause
// Quantiles of the normal distribution and of Student's.
#pragma once

namespace alltold {

/// Half of a normal distribution's 90 % interval, in standard deviations.
inline constexpr double normal_reach = 1.645;
/// The same of Student's t with four degrees of freedom.
inline constexpr double student_reach = 2.13;

/// Probability that a standard normal value is below `z`.
double normal_probability(double z);

/// The z below which a standard normal value falls with `probability`, 0 < probability < 1.
double normal_quantile(double probability);

/// Probability that Student's t of `freedom` >= 1 degrees of freedom is below `t` (Abramowitz and
/// Stegun, 26.7.3 and 26.7.4).
double student_probability(double t, int freedom);

/// The t below which it falls with `probability`, 0 < probability < 1.
double student_quantile(double probability, int freedom);

} // namespace alltold
