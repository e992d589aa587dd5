// SPDX-License-Identifier: BSD-3-Clause
// The least squares problem behind a signature: observations, their covariance, the choice of M; a
// slope, and a step from some size upwards.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "network/fit/cells.hpp"
#include "network/plogp/plogp.hpp"
#include "network/signature/signature.hpp"

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

/// The measured points at one n >= 2, seen as T/(n-1) = alpha + m slope + [m >= M] delta with
/// slope = gamma beta. Keeps references to the cells and the network.
class SignatureProblem {
  public:
    /// Four cells or more, in increasing order of size.
    SignatureProblem(const std::vector<Cell>& cells, int n, const HockneyFit& network);

    /// Chooses M, weighs anew by what was fitted, and chooses again. `candidate`, the index of a
    /// size, is where M would be expected; see StepFit::choose.
    StepSolution choose(std::optional<std::size_t> candidate = {});

    const std::vector<Cell>& cells() const { return cells_; }
    const std::vector<double>& sizes() const { return sizes_; }
    const HockneyFit& network() const { return network_; }
    /// Relative scatter of the medians about the fit that repetitions do not explain.
    double model_error() const { return model_error_; }

    /// T/(n-1) - alpha for one time per size.
    Eigen::VectorXd excess(std::span<const double> times_s, double alpha_s) const;
    /// Of T/(n-1): the repetitions' scatter and the model's own error.
    Eigen::MatrixXd noise() const;
    /// Of T/(n-1) - alpha: alpha's error is shared by all sizes.
    Eigen::MatrixXd covariance() const;

    /// T at each size by a solution.
    std::vector<double> fitted_s(const StepSolution& solution) const;
    /// Measured over fitted about 1, the degrees of freedom that the fit used up taken off.
    double residual_spread(const StepSolution& solution) const;

    /// excess() of the medians.
    Eigen::VectorXd measured_excess() const;

  private:
    /// Sizes less the parameters fitted: slope alone, or slope, delta and M.
    double freedom(const StepSolution& solution) const;
    void refine(const StepSolution& solution);

    const std::vector<Cell>& cells_;
    int n_;
    const HockneyFit& network_;
    std::vector<double> sizes_;
    std::vector<double> scale_; ///< seconds per message that a relative error of 1 stands for
    double model_error_ = 0;
};

/// All-to-alls of n >= 2 processes at the sizes of `fit`, whose covariance weighs them.
struct AlltoallRun {
    const StepFit& fit;
    const Eigen::VectorXd& excess_s; ///< T/(n-1) - alpha of each size, seconds
    const Hockney& network;
    int n = 2;
    const PLogP* plogp = nullptr; ///< null where it is not known

    /// T/(n-1) of each size, seconds.
    Eigen::VectorXd message_s() const { return excess_s.array() + network.alpha_s; }
    /// m beta of each size, seconds.
    Eigen::VectorXd bytes_s() const {
        return network.beta_s_per_byte *
               Eigen::Map<const Eigen::VectorXd>(fit.sizes().data(), excess_s.size());
    }
};

/// A solution for slope gamma beta and delta as a signature; M is the first size that pays delta.
inline Signature signature_of(const StepSolution& solution, const AlltoallRun& run) {
    return {solution.slope / run.network.beta_s_per_byte, solution.delta_s,
            solution.step ? run.fit.sizes()[*solution.step] : 0};
}

} // namespace alltold
