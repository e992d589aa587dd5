// SPDX-License-Identifier: BSD-3-Clause
// Least squares by whitening and a QR decomposition, which squares no condition number.
#include "core/least_squares.hpp"

#include <cassert>

namespace alltold {
namespace {

LeastSquares solve_whitened(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed) {
    assert(design.rows() == observed.size() && design.rows() >= design.cols());
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(design);
    LeastSquares result;
    result.coefficients = qr.solve(observed);
    // (X'X)^-1 is R^-1 R^-T but for the order of columns; the number of rows costs nothing here.
    const auto rank = qr.nonzeroPivots();
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(design.cols(), rank);
    inverse.topRows(rank) = qr.matrixR()
                                .topLeftCorner(rank, rank)
                                .triangularView<Eigen::Upper>()
                                .solve(Eigen::MatrixXd::Identity(rank, rank));
    inverse = qr.colsPermutation() * inverse;
    result.covariance = inverse * inverse.transpose();
    result.chi_squared = (observed - design * result.coefficients).squaredNorm();
    return result;
}

} // namespace

LeastSquares weighted_least_squares(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed,
                                    const Eigen::VectorXd& variances) {
    assert(variances.minCoeff() > 0);
    const Eigen::VectorXd weights = variances.cwiseSqrt().cwiseInverse();
    return solve_whitened(weights.asDiagonal() * design, weights.asDiagonal() * observed);
}

StraightLine straight_line(std::span<const double> x, std::span<const double> y,
                           std::span<const double> variances) {
    const auto vector = [](std::span<const double> values) {
        return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                                 static_cast<Eigen::Index>(values.size()));
    };
    Eigen::MatrixXd design(vector(x).size(), 2);
    design << Eigen::VectorXd::Ones(design.rows()), vector(x);
    const auto line = weighted_least_squares(design, vector(y), vector(variances)).coefficients;
    return {line(0), line(1)};
}

} // namespace alltold
