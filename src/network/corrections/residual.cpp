// SPDX-License-Identifier: BSD-3-Clause
// Regression by a Gaussian process.
#include "network/corrections/residual.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Dense>

#include "core/statistics.hpp"

namespace alltold {
namespace {

/// Of the noise between calls, the part that is the same each time that one call is made.
constexpr double lasting_noise = 0.5;
/// Keeps the matrix regular where two calls are the same and nothing is noise.
constexpr double least_variance = 1e-8;

Eigen::Index index(std::size_t i) {
    return static_cast<Eigen::Index>(i);
}

/// Matern's covariance with 3/2.
double matern(double distance) {
    const double scaled = std::sqrt(3) * distance;
    return (1 + scaled) * std::exp(-scaled);
}

bool is_power(const CallTraits& call) {
    return std::floor(call.log2_ranks) == call.log2_ranks;
}

/// Covariances of a call's smooth ratio with those measured.
Eigen::VectorXd with_measured(const Residual& residual, const CallTraits& call) {
    Eigen::VectorXd covariances(index(residual.measured().size()));
    for (std::size_t i = 0; i < residual.measured().size(); ++i)
        covariances(index(i)) = residual.covariance(call, residual.measured()[i].call);
    return covariances;
}

} // namespace

struct Residual::Solved {
    Eigen::LLT<Eigen::MatrixXd> factor; ///< L, of the covariance of what was measured
    Eigen::VectorXd ratios;             ///< L^-1 of the measured ratios
};

Estimate ExpectedRatio::of(double modelled_s, double reach) const {
    const double half = std::min(reach, most_reach) * sd;
    return {modelled_s * std::exp(log_ratio), modelled_s * std::exp(log_ratio - half),
            modelled_s * std::exp(log_ratio + half)};
}

Residual::Residual(std::vector<MeasuredRatio> measured, const ResidualKernel& kernel)
    : measured_(std::move(measured)), kernel_(kernel) {
    assert(kernel.size_octaves > 0 && kernel.ranks_octaves > 0);
    if (measured_.empty())
        return;
    const auto count = index(measured_.size());
    Eigen::MatrixXd covariances(count, count);
    Eigen::VectorXd ratios(count);
    for (std::size_t i = 0; i < measured_.size(); ++i) {
        ratios(index(i)) = measured_[i].log_ratio;
        for (std::size_t j = 0; j <= i; ++j)
            covariances(index(i), index(j)) = covariances(index(j), index(i)) =
                covariance(measured_[i].call, measured_[j].call);
        covariances(index(i), index(i)) += noise_variance(measured_[i].call) +
                                           measured_[i].variance + least_variance +
                                           measured_[i].outlier_variance();
    }
    Solved solved{Eigen::LLT<Eigen::MatrixXd>(covariances), {}};
    solved.ratios = solved.factor.matrixL().solve(ratios);
    solved_ = std::make_shared<const Solved>(std::move(solved));
}

double Residual::distance_of(const CallTraits& a, const CallTraits& b) const {
    const double size = std::hypot(a.log2_size - b.log2_size, a.log2_segment - b.log2_segment,
                                   a.log2_window - b.log2_window) /
                        kernel_.size_octaves;
    const double ranks = (a.log2_ranks - b.log2_ranks) / kernel_.ranks_octaves;
    return std::hypot(size, ranks, a.rendezvous != b.rendezvous ? kernel_.rendezvous_gap : 0);
}

double Residual::covariance(const CallTraits& a, const CallTraits& b) const {
    const double distance = distance_of(a, b);
    const double alike = matern(distance);
    const double own_alike = a.algorithm != b.algorithm ? 0
                             : is_power(a) == is_power(b)
                                 ? alike
                                 : matern(std::hypot(distance, kernel_.power_gap));
    const auto spread = [&](double common_sd, double own_sd) {
        return alike * common_sd * common_sd + own_alike * own_sd * own_sd;
    };
    const auto brief = [&](const CallTraits& call) {
        return kernel_.brief_s / (kernel_.brief_s + call.modelled_s);
    };
    const double growth =
        kernel_.brief_growth_sd * kernel_.brief_growth_sd * a.log2_ranks * b.log2_ranks;
    const double common_loss_sd = a.loses_packets && b.loses_packets ? kernel_.loss_sd : 0;
    const double windows = kernel_.window_sd * kernel_.window_sd * a.window_share * b.window_share;
    return spread(kernel_.common_sd, kernel_.own_sd) + spread(common_loss_sd, 0) + windows +
           brief(a) * brief(b) * (spread(kernel_.brief_common_sd, kernel_.brief_own_sd) + growth);
}

double Residual::noise_variance(const CallTraits& call) const {
    // Beyond its own size a jitter is no spread of logarithms any more.
    const double jitter = kernel_.jitter_s / (kernel_.jitter_s + call.modelled_s);
    const double timeouts = kernel_.timeouts * call.timeout_sd;
    const double windows = kernel_.own_window_sd * call.window_share;
    return kernel_.noise_sd * kernel_.noise_sd + jitter * jitter + timeouts * timeouts +
           windows * windows;
}

double Residual::scatter_variance(const CallTraits& call) const {
    constexpr double other_algorithm = 0.05; // counts where its own was not measured
    double weights = 0, sum = 0;
    for (const auto& other : measured_) {
        // Calls that lose no packets take no time-outs either.
        const bool own =
            other.call.algorithm == call.algorithm && (call.may_lose || !other.call.may_lose);
        const double weight = matern(distance_of(call, other.call)) * (own ? 1 : other_algorithm);
        weights += weight;
        sum += weight * (other.variance + (own ? other.outlier_variance() : 0));
    }
    return weights > 0 ? sum / weights : 0;
}

std::vector<double> Residual::whitened(const CallTraits& call) const {
    std::vector<double> whitened(measured_.size());
    if (solved_)
        Eigen::Map<Eigen::VectorXd>(whitened.data(), index(whitened.size())) =
            solved_->factor.matrixL().solve(with_measured(*this, call));
    return whitened;
}

double Residual::remaining_variance(const CallTraits& call,
                                    const std::vector<double>& whitened) const {
    const Eigen::Map<const Eigen::VectorXd> known(whitened.data(), index(whitened.size()));
    return std::max(0., covariance(call, call) - known.squaredNorm());
}

ExpectedRatio Residual::at(const CallTraits& call) const {
    const auto joint = together({&call, 1});
    const bool measured =
        std::ranges::find(measured_, call, &MeasuredRatio::call) != measured_.end();
    return {joint.log_ratios.front(), std::sqrt(joint.covariances.front() + scatter_variance(call)),
            measured ? student_reach : std::numeric_limits<double>::infinity()};
}

JointRatios Residual::together(std::span<const CallTraits> calls) const {
    JointRatios joint;
    std::vector<Eigen::VectorXd> known(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        double log_ratio = 0;
        if (solved_) {
            known[i] = with_measured(*this, calls[i]);
            for (std::size_t j = 0; j < measured_.size(); ++j)
                if (measured_[j].call == calls[i])
                    known[i](index(j)) += lasting_noise * noise_variance(calls[i]);
            solved_->factor.matrixL().solveInPlace(known[i]);
            log_ratio = known[i].dot(solved_->ratios);
        }
        joint.log_ratios.push_back(log_ratio);
    }
    for (std::size_t i = 0; i < calls.size(); ++i)
        for (std::size_t j = 0; j < calls.size(); ++j) {
            double shared = covariance(calls[i], calls[j]) - (solved_ ? known[i].dot(known[j]) : 0);
            if (i == j)
                shared = std::max(0., shared + noise_variance(calls[i]));
            joint.covariances.push_back(shared);
        }
    return joint;
}

std::vector<double> Residual::left_out_distances() const {
    if (!solved_)
        return {};
    const auto count = index(measured_.size());
    const Eigen::MatrixXd inverse = solved_->factor.solve(Eigen::MatrixXd::Identity(count, count));
    const Eigen::VectorXd weights = solved_->factor.matrixU().solve(solved_->ratios);
    std::vector<double> distances;
    for (Eigen::Index i = 0; i < count; ++i)
        distances.push_back(std::abs(weights(i)) / std::sqrt(inverse(i, i)));
    return distances;
}

double Residual::log_likelihood() const {
    if (!solved_)
        return 0;
    double half_log_determinant = 0;
    for (std::size_t i = 0; i < measured_.size(); ++i)
        half_log_determinant += std::log(solved_->factor.matrixLLT()(index(i), index(i)));
    return -solved_->ratios.squaredNorm() / 2 - half_log_determinant -
           static_cast<double>(measured_.size()) / 2 * std::log(2 * std::numbers::pi);
}

} // namespace alltold
