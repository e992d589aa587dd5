// SPDX-License-Identifier: BSD-3-Clause
// A log-normal time that a bound cuts off.
#pragma once

#include <cmath>

#include "core/estimate.hpp"

namespace alltold {

/// The standard deviation of the logarithm; at least a thousandth, infinite if it is unknown.
double log_deviation(const Estimate& time_s);

/// A time: log-normal with a 90 % interval, cut off below a bound.
class BoundedTime {
  public:
    /// `share` of the interval's deviation is taken. A bound of 0 cuts off nothing.
    BoundedTime(const Estimate& time_s, double bound_s, double share);

    /// How likely it is longer than `other`; one half where an interval has no end.
    double chance_of_more(const BoundedTime& other) const;

  private:
    double chance_below(double log) const;
    /// The mean of `of` the logarithm, by parts of equal width.
    template <class Of>
    double mean(Of of) const;

    double log_, deviation_;
    double least_;   ///< the bound, in deviations from the median
    double cut_off_; ///< the probability that the bound takes away
};

} // namespace alltold
