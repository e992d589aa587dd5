// SPDX-License-Identifier: BSD-3-Clause
// Numbers with intervals: medians, resampling (Efron and Tibshirani 1993, chapter 13), and
// quantiles of the normal distribution and of Student's.
#pragma once

#include <span>
#include <vector>

#include "core/random.hpp"

namespace alltold {

/// A value with its interval, of 95 % unless said otherwise; low <= value <= high. An exact value
/// has all three equal.
struct Estimate {
    double value = 0;
    double low = 0;
    double high = 0;

    static Estimate exact(double x) { return {x, x, x}; }
    /// Half the interval's width over the value: what "known to 5 %" means. Infinite where there
    /// were too few values for an interval.
    double relative_half_width() const { return (high - low) / 2 / std::abs(value); }
    bool covers(double x) const { return low <= x && x <= high; }
    bool operator==(const Estimate&) const = default;
};

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

/// Half of a normal distribution's 90 % interval, in standard deviations.
inline constexpr double normal_reach = 1.645;
/// Half of that of Student's t with four degrees of freedom.
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

/// As many values as given, drawn with replacement from one or more.
std::vector<double> resample(std::span<const double> values, Random& random);

/// The median and the middle `level` (0 < level < 1) of one or more draws of a statistic: the
/// percentile interval.
Estimate percentile_interval(std::span<const double> draws, double level = 0.95);

/// `value`, estimated from the data themselves, with the percentile interval of one or more draws,
/// widened to hold it.
Estimate estimate_from(double value, std::span<const double> draws);

} // namespace alltold
