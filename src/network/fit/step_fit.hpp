// SPDX-License-Identifier: BSD-3-Clause
// The least squares inside a signature: a slope, and a step from some size upwards.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

namespace alltold {

/// One solution of y = m slope + [m >= sizes[step]] delta.
struct StepSolution {
    std::optional<std::size_t> step; ///< index of the first size that pays delta; none: no step
    double slope = 0;                ///< seconds per byte, gamma beta
    double delta_s = 0;
    double chi_squared = 0;

    double value(std::span<const double> sizes, std::size_t at) const {
        return sizes[at] * slope + (step && at >= *step ? delta_s : 0);
    }
};

/// Generalised least squares of slope and step over a fixed set of sizes and a fixed covariance,
/// made once and solved often.
class StepFit {
  public:
    /// `sizes` in increasing order, bytes, two or more; `covariance` of the observations, positive
    /// definite.
    StepFit(std::vector<double> sizes, const Eigen::MatrixXd& covariance);

    /// Least squares with slope >= least_slope and delta >= 0, for a step at `step` or none.
    StepSolution solve(const Eigen::VectorXd& observed, double least_slope,
                       std::optional<std::size_t> step) const;
    /// The step with the least chi squared, which at least two sizes pay; of equals the one that
    /// fewer sizes pay.
    StepSolution best_step(const Eigen::VectorXd& observed, double least_slope) const;
    /// best_step if it lowers chi squared by more than the best of that many chance steps does in
    /// 19 of 20 cases, else no step, so that an insignificant delta is not reported. A step at
    /// `candidate`, known beforehand, is taken before no step if it does so by itself, at least two
    /// sizes paying.
    StepSolution choose(const Eigen::VectorXd& observed, double least_slope,
                        std::optional<std::size_t> candidate = {}) const;

    /// The least squares factor of one shape: observed = factor shape.
    double factor(const Eigen::VectorXd& observed, const Eigen::VectorXd& shape) const;
    /// The step alone with the least chi squared, delta >= 0; the slope is 0.
    StepSolution step_alone(const Eigen::VectorXd& observed) const;

    /// How slope and delta of a solution vary when the observations have the covariance `noise`.
    Eigen::Matrix2d spread(const StepSolution& solution, const Eigen::MatrixXd& noise) const;

    const std::vector<double>& sizes() const { return sizes_; }

  private:
    Eigen::VectorXd whiten(const Eigen::VectorXd& x) const { return cholesky_.matrixL().solve(x); }
    std::vector<double> sizes_;
    Eigen::LLT<Eigen::MatrixXd> cholesky_;
    Eigen::VectorXd ramp_;               ///< whitened sizes
    std::vector<Eigen::VectorXd> steps_; ///< whitened step at each candidate size
};

} // namespace alltold
