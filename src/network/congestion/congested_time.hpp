// SPDX-License-Identifier: BSD-3-Clause
// How long an exchange takes whose packets may be lost: a distribution, not a number.
#pragma once

namespace alltold {

/// The time of one call, in seconds. Without loss it is log-normal about `core_s`. Time-outs come
/// at instants spread evenly over that time, a Poisson number of them, whose mean is itself only
/// known as a Gamma variable; one at instant u ends the call no earlier than u + timeout_s, so that
/// early ones of a long call are hidden behind its own traffic. With s(t) the share of instants
/// from which a time-out would last beyond t,
///   P(T <= t) = Phi(ln(t / core_s) / spread) (1 + timeouts s(t) / shape)^-shape,
///   s(t) = 1 - (t - timeout_s) / core_s, between 0 and 1.
struct CongestedTime {
    double core_s = 0;    ///< above 0
    double spread = 0;    ///< standard deviation of ln T without time-outs, above 0
    double timeout_s = 0; ///< what a lost packet costs if no later packet reveals it
    double timeouts = 0;  ///< expected number in one call, 0 or more
    double shape = 1;     ///< of the Gamma distribution of that number's mean, above 0

    double probability_below(double time_s) const;
    /// The time below which calls stay with `probability`, 0 < probability < 1.
    double quantile(double probability) const;
    /// Likelihood of a measured time, per second.
    double density(double time_s) const;
    /// Probability that a call that took `time_s` ended with a time-out and not with its traffic.
    double probability_of_timeout(double time_s) const;

  private:
    /// Of the time without time-outs: distribution and density.
    double core_below(double time_s) const;
    double core_density(double time_s) const;
    /// Of the last time-out's end: distribution and density.
    double ends_below(double time_s) const;
    double ends_density(double time_s) const;
};

} // namespace alltold
