// SPDX-License-Identifier: BSD-3-Clause
// Linear least squares with known variances of the observations.
#pragma once

#include <span>

#include <Eigen/Dense>

namespace alltold {

/// Coefficients, their covariance, and the weighted sum of squared residuals.
struct LeastSquares {
    Eigen::VectorXd coefficients;
    Eigen::MatrixXd covariance;
    double chi_squared = 0; ///< about rows - columns when model and variances are right
};

/// Weighted least squares: the b that minimises (y - X b)' V^-1 (y - X b), with covariance
/// (X' V^-1 X)^-1, for independent observations. `design` X has at least as many rows as columns
/// and full column rank; `observed` y and the diagonal `variances` of V, each above 0, have as many
/// entries as X rows.
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
