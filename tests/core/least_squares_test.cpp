// SPDX-License-Identifier: BSD-3-Clause
// Least squares against worked examples and against data made from known coefficients.
#include "core/least_squares.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "core/random.hpp"

using namespace alltold;

TEST(LeastSquares, WeightedMeanByHand) {
    const Eigen::MatrixXd one = Eigen::MatrixXd::Ones(2, 1);
    const auto fit = weighted_least_squares(one, Eigen::Vector2d(1, 4), Eigen::Vector2d(1, 2));
    EXPECT_NEAR(fit.coefficients(0), 2, 1e-12); // (1/1 + 4/2) / (1/1 + 1/2)
    EXPECT_NEAR(fit.covariance(0, 0), 2.0 / 3, 1e-12);
    EXPECT_NEAR(fit.chi_squared, 1 + 2, 1e-12);
}

TEST(LeastSquares, CovarianceIsTheSpreadOfTheCoefficients) {
    Random random(5);
    Eigen::MatrixXd design(6, 2);
    Eigen::VectorXd variances(6);
    for (int i = 0; i < 6; ++i) {
        design.row(i) << 1, i;
        variances(i) = 0.01 * (i + 1);
    }
    double sum = 0;
    double squares = 0;
    double chi = 0;
    Eigen::MatrixXd claimed;
    constexpr int trials = 4000;
    for (int trial = 0; trial < trials; ++trial) {
        Eigen::VectorXd y(6);
        for (int i = 0; i < 6; ++i)
            y(i) = 2 + 3 * i + 0.1 * std::sqrt(i + 1) * random.normal();
        const auto fit = weighted_least_squares(design, y, variances);
        sum += fit.coefficients(0) - 2;
        squares += std::pow(fit.coefficients(0) - 2, 2);
        chi += fit.chi_squared;
        claimed = fit.covariance;
    }
    EXPECT_NEAR(sum / trials, 0, 4 * std::sqrt(claimed(0, 0) / trials));
    EXPECT_NEAR(squares / trials / claimed(0, 0), 1, 0.1);
    EXPECT_NEAR(chi / trials, 4, 0.2); // rows - columns
}

TEST(LeastSquares, CovarianceIsThatOfTheNormalEquations) {
    Random random(6);
    Eigen::MatrixXd design(40, 4);
    Eigen::VectorXd variances(40);
    for (int i = 0; i < 40; ++i) {
        design.row(i) << 1, random.normal(), 100 * random.normal(), 1e-3 * random.normal();
        variances(i) = 1 + random.uniform();
    }
    const auto fit = weighted_least_squares(design, Eigen::VectorXd::Ones(40), variances);
    const Eigen::MatrixXd precision =
        design.transpose() * variances.cwiseInverse().asDiagonal() * design;
    EXPECT_TRUE((fit.covariance * precision).isApprox(Eigen::MatrixXd::Identity(4, 4), 1e-9));
}

TEST(StraightLine, WeighsPointsByTheirVariance) {
    const std::array x{0.0, 1.0, 1.0}, y{1.0, 3.0, 6.0}, variances{1.0, 1.0, 2.0};
    const auto line = straight_line(x, y, variances);
    EXPECT_NEAR(line.offset, 1, 1e-12);
    EXPECT_NEAR(line.slope, 3, 1e-12); // (3/1 + 6/2) / (1/1 + 1/2) is 4 at x = 1
    EXPECT_NEAR(line.at(2), 7, 1e-12);
}
