// SPDX-License-Identifier: BSD-3-Clause
// Linear least squares with known covariance of the observations.
#pragma once

#include <span>

#include <Eigen/Dense>

namespace alltold {

/// Coefficients, their covariance, and the weighted sum of squared residuals.
struct LeastSquares {
    Eigen::VectorXd coefficients;
    Eigen::MatrixXd covariance;
    double chi_squared = 0; ///< about rows - columns when model and covariance are right
};

/// Generalised least squares (Aitken 1936): the b that minimises (y - X b)' V^-1 (y - X b), with
/// covariance (X' V^-1 X)^-1. `design` X has at least as many rows as columns and full column rank;
/// `observed` y as many entries as X rows; `covariance` V is symmetric positive definite.
LeastSquares generalised_least_squares(const Eigen::MatrixXd& design,
                                       const Eigen::VectorXd& observed,
                                       const Eigen::MatrixXd& covariance);

/// The same for independent observations with these variances, each above 0.
LeastSquares weighted_least_squares(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed,
                                    const Eigen::VectorXd& variances);

/// y = offset + slope x.
struct StraightLine {
    double offset = 0;
    double slope = 0;
    double at(double x) const { return offset + slope * x; }
};

/// The line through independent observations `y` at `x` with these variances, each above 0; as many
/// of each, at least two different x.
StraightLine straight_line(std::span<const double> x, std::span<const double> y,
                           std::span<const double> variances);

} // namespace alltold
