// SPDX-License-Identifier: BSD-3-Clause
#include "network/signature/signature_problem.hpp"

#include <algorithm>

#include "core/statistics.hpp"

namespace alltold {

StepFit::StepFit(std::vector<double> sizes, const Eigen::MatrixXd& covariance)
    : sizes_(std::move(sizes)), cholesky_(covariance) {
    assert(sizes_.size() >= 2 && cholesky_.info() == Eigen::Success);
    const auto count = static_cast<Eigen::Index>(sizes_.size());
    ramp_ = whiten(Eigen::Map<const Eigen::VectorXd>(sizes_.data(), count));
    for (Eigen::Index from = 0; from + 2 <= count; ++from) {
        Eigen::VectorXd step = Eigen::VectorXd::Zero(count);
        step.tail(count - from).setOnes();
        steps_.push_back(whiten(step));
    }
}

StepSolution StepFit::solve(const Eigen::VectorXd& observed, double least_slope,
                            std::optional<std::size_t> step) const {
    const Eigen::VectorXd y = whiten(observed);
    const double aa = ramp_.squaredNorm();
    const double ay = ramp_.dot(y);
    const double free_slope = std::max(least_slope, ay / aa);
    StepSolution best{std::nullopt, free_slope, 0, (y - free_slope * ramp_).squaredNorm()};
    if (!step)
        return best;

    best.step = step;
    const Eigen::VectorXd& c = steps_[*step];
    const double cc = c.squaredNorm();
    const double ac = ramp_.dot(c);
    const double cy = c.dot(y);
    const auto consider = [&](double slope, double delta_s) {
        const double chi_squared = (y - slope * ramp_ - delta_s * c).squaredNorm();
        if (slope >= least_slope && delta_s >= 0 && chi_squared < best.chi_squared)
            best = {step, slope, delta_s, chi_squared};
    };
    const double determinant = aa * cc - ac * ac;
    if (determinant > 1e-14 * aa * cc)
        consider((ay * cc - cy * ac) / determinant, (cy * aa - ay * ac) / determinant);
    consider(least_slope, std::max(0.0, (cy - least_slope * ac) / cc));
    return best;
}

StepSolution StepFit::best_step(const Eigen::VectorXd& observed, double least_slope) const {
    StepSolution best = solve(observed, least_slope, steps_.size() - 1);
    for (std::size_t step = steps_.size() - 1; step-- > 0;) {
        const auto other = solve(observed, least_slope, step);
        if (other.chi_squared < best.chi_squared * (1 - 1e-9))
            best = other;
    }
    return best;
}

StepSolution StepFit::choose(const Eigen::VectorXd& observed, double least_slope,
                             std::optional<std::size_t> candidate) const {
    const auto without = solve(observed, least_slope, std::nullopt);
    if (steps_.empty())
        return without;
    const auto stands_out = [&](const StepSolution& with, std::size_t among) {
        const double chance = normal_quantile(1 - 0.05 / 2 / static_cast<double>(among));
        return without.chi_squared - with.chi_squared > chance * chance;
    };
    if (const auto best = best_step(observed, least_slope); stands_out(best, steps_.size()))
        return best;
    if (candidate && *candidate < steps_.size())
        if (const auto there = solve(observed, least_slope, candidate); stands_out(there, 1))
            return there;
    return without;
}

double StepFit::factor(const Eigen::VectorXd& observed, const Eigen::VectorXd& shape) const {
    const Eigen::VectorXd whitened = whiten(shape);
    return whitened.dot(whiten(observed)) / whitened.squaredNorm();
}

StepSolution StepFit::step_alone(const Eigen::VectorXd& observed) const {
    const Eigen::VectorXd y = whiten(observed);
    StepSolution best{std::nullopt, 0, 0, y.squaredNorm()};
    for (std::size_t step = 0; step < steps_.size(); ++step) {
        const double delta_s = steps_[step].dot(y) / steps_[step].squaredNorm();
        const double chi_squared = (y - delta_s * steps_[step]).squaredNorm();
        if (delta_s > 0 && chi_squared < best.chi_squared)
            best = {step, 0, delta_s, chi_squared};
    }
    return best;
}

Eigen::Matrix2d StepFit::spread(const StepSolution& solution, const Eigen::MatrixXd& noise) const {
    Eigen::MatrixXd design(ramp_.size(), solution.step ? 2 : 1);
    design.col(0) = ramp_;
    if (solution.step)
        design.col(1) = steps_[*solution.step];
    // b = (X' X)^-1 X' L^-1 y in whitened X, so its covariance under other noise is this sandwich.
    const Eigen::MatrixXd map =
        (design.transpose() * design)
            .ldlt()
            .solve(cholesky_.matrixL().transpose().solve(design).transpose());
    Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
    spread.topLeftCorner(design.cols(), design.cols()) = map * noise * map.transpose();
    return spread;
}

SignatureProblem::SignatureProblem(const std::vector<Cell>& cells, int n, const HockneyFit& network)
    : cells_(cells), n_(n), network_(network) {
    assert(cells.size() >= 4 && n >= 2);
    for (const Cell& cell : cells) {
        sizes_.push_back(cell.size_bytes);
        scale_.push_back(cell.centre_s / (n - 1));
    }
}

StepSolution SignatureProblem::choose(std::optional<std::size_t> candidate) {
    const double beta = network_.beta_s_per_byte.value;
    const auto observed = measured_excess();
    for (int pass = 0; pass < 2; ++pass)
        refine(StepFit(sizes_, covariance()).best_step(observed, beta));
    const auto chosen = StepFit(sizes_, covariance()).choose(observed, beta, candidate);
    refine(chosen);
    return StepFit(sizes_, covariance()).solve(observed, beta, chosen.step);
}

Eigen::VectorXd SignatureProblem::excess(std::span<const double> times_s, double alpha_s) const {
    Eigen::VectorXd result(static_cast<Eigen::Index>(times_s.size()));
    for (std::size_t i = 0; i < times_s.size(); ++i)
        result(static_cast<Eigen::Index>(i)) = times_s[i] / (n_ - 1) - alpha_s;
    return result;
}

Eigen::VectorXd SignatureProblem::measured_excess() const {
    std::vector<double> centres;
    for (const Cell& cell : cells_)
        centres.push_back(cell.centre_s);
    return excess(centres, network_.alpha_s.value);
}

Eigen::MatrixXd SignatureProblem::noise() const {
    Eigen::VectorXd variances(static_cast<Eigen::Index>(cells_.size()));
    for (std::size_t i = 0; i < cells_.size(); ++i)
        variances(static_cast<Eigen::Index>(i)) =
            std::pow(scale_[i] * std::hypot(cells_[i].relative_error, model_error_), 2);
    return variances.asDiagonal();
}

Eigen::MatrixXd SignatureProblem::covariance() const {
    return (noise().array() + network_.covariance[0]).matrix();
}

std::vector<double> SignatureProblem::fitted_s(const StepSolution& solution) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        result.push_back((n_ - 1) * (network_.alpha_s.value + solution.value(sizes_, i)));
    return result;
}

double SignatureProblem::freedom(const StepSolution& solution) const {
    return static_cast<double>(sizes_.size()) - (solution.step ? 3 : 1);
}

double SignatureProblem::residual_spread(const StepSolution& solution) const {
    const auto fitted = fitted_s(solution);
    double sum = 0;
    for (std::size_t i = 0; i < fitted.size(); ++i)
        sum += std::pow(cells_[i].centre_s / fitted[i] - 1, 2);
    return std::sqrt(sum / freedom(solution));
}

/// Weighs by the fitted times from now on, since a low outlier must not weigh more than a high one,
/// and sets the model's error to what brings chi squared down to its degrees of freedom (Paule and
/// Mandel 1982), 0 if it is there already.
void SignatureProblem::refine(const StepSolution& solution) {
    const auto fitted = fitted_s(solution);
    for (std::size_t i = 0; i < scale_.size(); ++i)
        scale_[i] = std::max(fitted[i], 0.1 * cells_[i].centre_s) / (n_ - 1);
    const auto observed = measured_excess();
    const auto too_small = [&](double error) {
        model_error_ = error;
        return StepFit(sizes_, covariance())
                   .solve(observed, network_.beta_s_per_byte.value, solution.step)
                   .chi_squared > freedom(solution);
    };
    if (!too_small(0))
        return;
    double low = 0;
    double high = 10;
    while (high - low > 1e-4 * high && high > 1e-6) {
        const double middle = (low + high) / 2;
        (too_small(middle) ? low : high) = middle;
    }
    model_error_ = high;
}

} // namespace alltold
