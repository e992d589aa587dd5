// SPDX-License-Identifier: BSD-3-Clause
#include "network/signature/signature_problem.hpp"

namespace alltold {

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
