// SPDX-License-Identifier: BSD-3-Clause
// The ratio of measured to modelled times of a collective, interpolated to other calls.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/statistics.hpp"

namespace alltold {

/// What makes two calls of one collective alike.
struct CallTraits {
    std::string algorithm; ///< its row in the registry, "mpi", or "mpi.binomial" if known
    double modelled_s = 0; ///< the model's time, above 0
    double log2_size = 0;  ///< of the bytes per block
    double log2_ranks = 0;
    double log2_segment = 0;    ///< of the longest message's bytes where the algorithm cuts, else 0
    double log2_window = 0;     ///< of the messages in flight where those are limited, else 0
    double timeout_sd = 0;      ///< of log time, by TCP's time-outs as the model has them
    bool rendezvous = false;    ///< its longest messages exceed the eager limit
    bool loses_packets = false; ///< buffers overflow by the model
    bool may_lose = false;      ///< or do if ranks start a little apart
    double window_share = 0;    ///< of the time of idle connections, waiting for TCP's windows

    bool operator==(const CallTraits&) const = default;
};

/// Of the log ratio of an outlier: a time-out makes a short call several times as long.
inline constexpr double outlier_sd = 1;

/// The logarithm of measured over modelled time, and how well the median behind it is known.
struct MeasuredRatio {
    CallTraits call;
    double log_ratio = 0;
    double variance = 0; ///< of log_ratio, from the repetitions' scatter
    /// It took a TCP time-out that the model does not have, and says little of other calls.
    bool outlier = false;

    double outlier_variance() const { return outlier ? outlier_sd * outlier_sd : 0; }
};

/// How much and how smoothly log ratios differ from 0. They have two parts: one for all sizes, and
/// one for short calls, which decreases as brief_s / (brief_s + modelled time), because models are
/// least accurate about start-ups and first packets. Each part is a sum of a term that all
/// algorithms of a collective share and a term of each algorithm, and changes over so many
/// doublings of size (also of segment and window) and of ranks. Noise is independent between calls.
struct ResidualKernel {
    double common_sd = 0.1;
    double own_sd = 0.1;
    double brief_common_sd = 0.3;
    double brief_own_sd = 0.3;
    double brief_growth_sd = 0.2; ///< of the short part, per doubling of ranks, all algorithms
    double brief_s = 1e-3;
    double noise_sd = 0.02;
    double jitter_s = 1e-5; ///< noise in seconds: its share of the time adds to noise_sd
    double size_octaves = 4;
    double ranks_octaves = 4;
    /// The distance for one algorithm between powers of two and other numbers of ranks, in
    /// multiples of ranks_octaves: many algorithms treat them differently.
    double power_gap = 0.3;
    /// The distance between calls whose longest messages are sent eagerly and by rendezvous, in
    /// multiples of size_octaves.
    double rendezvous_gap = 0.3;
    double timeouts = 1; ///< so many times CallTraits::timeout_sd is noise as well
    /// What calls that lose packets have in common, all algorithms: models charge likely time-outs,
    /// but not that TCP slows down.
    double loss_sd = 0.3;
    /// TCP's windows are only roughly known, and idle connections have others than used ones. So
    /// calls are off by a multiple of CallTraits::window_share: all by the same one, of this
    /// deviation, and each by one of its own.
    double window_sd = 0.5;
    double own_window_sd = 0.2;

    bool operator==(const ResidualKernel&) const = default;
};

/// An expected log ratio, and the standard deviation of measured medians about it.
struct ExpectedRatio {
    double log_ratio = 0;
    double sd = 0;
    double most_reach = std::numeric_limits<double>::infinity(); ///< see `of`

    /// The modelled time corrected; its interval extends `reach` deviations to either side, but at
    /// most most_reach, because the error of unmeasured calls says little about a measured one.
    Estimate of(double modelled_s, double reach) const;
};

/// Expected log ratios of several calls, and the covariances of their errors, row by row.
struct JointRatios {
    std::vector<double> log_ratios;
    std::vector<double> covariances;
};

/// A Gaussian process without a mean of its own through measured ratios (Rasmussen and Williams
/// 2006, algorithm 2.1): far from what was measured the ratio is 1, with the kernel's whole spread
/// around it. The covariance is Matern's with 3/2 over the distance in octaves.
class Residual {
  public:
    /// Variances and standard deviations are 0 or more, octaves above 0.
    Residual(std::vector<MeasuredRatio> measured, const ResidualKernel& kernel);

    /// The deviation includes the scatter of medians measured at similar calls. Half of the noise
    /// between calls is the same in each repetition of a call, so a measured call is known better.
    ExpectedRatio at(const CallTraits& call) const;
    /// Log ratios of several calls, with the covariances of their errors: of what calls take in the
    /// long run, without the scatter of medians of few repetitions that `at` adds.
    JointRatios together(std::span<const CallTraits> calls) const;
    /// Covariance of two log ratios before any measurement.
    double covariance(const CallTraits& a, const CallTraits& b) const;
    /// L^-1 k, one element per measured ratio, where L is the Cholesky factor of their covariance:
    /// measurements reduce the covariance of two calls by the dot product of theirs.
    std::vector<double> whitened(const CallTraits& call) const;
    /// Variance of a call's smooth ratio that the measurements leave; `whitened` is that of `call`.
    double remaining_variance(const CallTraits& call, const std::vector<double>& whitened) const;
    /// Variance of a call's ratio about the smooth one, without the scatter of repetitions.
    double noise_variance(const CallTraits& call) const;
    /// Variance of the medians measured at similar calls; 0 without any.
    double scatter_variance(const CallTraits& call) const;
    /// For each measured ratio, its distance from the prediction by all others, in standard
    /// deviations (Rasmussen and Williams 2006, equations 5.10 to 5.12).
    std::vector<double> left_out_distances() const;
    /// Log marginal likelihood of the measured ratios.
    double log_likelihood() const;
    const std::vector<MeasuredRatio>& measured() const { return measured_; }
    const ResidualKernel& kernel() const { return kernel_; }

  private:
    /// Eigen takes long to compile, and most code reads profiles only.
    struct Solved;
    /// In lengths of the kernel, whatever the algorithms.
    double distance_of(const CallTraits& a, const CallTraits& b) const;

    std::vector<MeasuredRatio> measured_;
    ResidualKernel kernel_;
    std::shared_ptr<const Solved> solved_; ///< null where nothing was measured
};

} // namespace alltold
