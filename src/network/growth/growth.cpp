// SPDX-License-Identifier: BSD-3-Clause
// The most plausible sum of terms, then draws of terms and of what they leave.
#include "network/growth/growth.hpp"

#include <algorithm>

#include <Eigen/Dense>

namespace alltold {
namespace {

using Eigen::ArrayXd;
using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The numbers below were set on 1,833 calls of four supercomputers, each predicted from those on
// fewer ranks (docs/results/measured.md); halving or doubling one moves the median error by less
// than 3 points and the share inside by less than 5.

/// The share of a time that a term has before anything is measured, at the call where it has most.
constexpr double expected_share = 0.3, possible_share = 0.05, unlikely_share = 0.003;
/// Half of all shares are within a factor of e to this power times 0.67.
constexpr double log_share_sd = 1.5;
/// Times differ from the sum of terms by this everywhere, and by this more per doubling of ranks.
constexpr double misfit_sd = 0.2, walk_sd = 0.25;
/// Times on another number of ranks were taken in another job, on other hosts.
constexpr double job_sd = 0.15;
/// Misfits are alike for vectors this close in size; those of jobs in a third of that.
constexpr double size_octaves = 8;
/// A median of a few repetitions is known to that.
constexpr double median_sd = 0.05;
constexpr int worlds = 256;

/// How much a term is expected to count, by kind of growth.
struct Shares {
    std::array<double, 3> start_ups{expected_share, expected_share,
                                    possible_share}; ///< 1, log n, n
    std::array<double, 3> bytes{expected_share, possible_share,
                                unlikely_share}; ///< least, log n, n
};

bool moves_whole_vector(Collective collective) {
    return collective == Collective::bcast || collective == Collective::reduce ||
           collective == Collective::allreduce;
}

/// By the words that names of algorithms share, whoever implements them.
Shares shares_of(Collective collective, std::string_view algorithm) {
    std::string name(algorithm);
    std::ranges::transform(name, name.begin(), [](unsigned char c) {
        return c == '-' ? '_' : static_cast<char>(std::tolower(c));
    });
    const auto has = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(
            words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
    };
    Shares shares;
    if (has({"linear", "ring", "chain", "pipeline", "pairwise", "spread", "neighbo"}))
        shares.start_ups = {possible_share, possible_share, expected_share};
    if (moves_whole_vector(collective) && has({"linear"}))
        shares.bytes = {possible_share, unlikely_share, expected_share};
    else if (moves_whole_vector(collective) &&
             has({"binomial", "binary", "bintree", "knomial", "trinary", "recursive_doubling"}))
        shares.bytes = {expected_share, expected_share, unlikely_share};
    else if (has({"bruck"}))
        shares.bytes = {possible_share, expected_share, unlikely_share};
    return shares;
}

/// Start-ups and bytes of a call, one element each; times a coefficient they are seconds.
ArrayXd terms_of(Collective collective, double ranks, double size_bytes) {
    const double log_ranks = std::log2(std::max(ranks, 2.));
    // Calls without data may take what bytes are expected to.
    const double size = std::max(size_bytes, 1.);
    const double bytes = moves_whole_vector(collective) ? size : size * ranks;
    // Blocks grow by n beyond the least as a torus' narrowest cut does, n^(1/3).
    const double most = moves_whole_vector(collective) ? ranks : std::cbrt(ranks);
    ArrayXd terms(6);
    terms << 1, log_ranks, ranks, bytes, bytes * log_ranks, bytes * most;
    return terms;
}

double in_octaves(double size_bytes) {
    return std::log2(std::max(size_bytes, 1.));
}

/// Covariance of what two calls' log times differ by from the sum of terms.
double covariance(Collective collective, const GrowthPoint& a, const GrowthPoint& b,
                  double least_ranks) {
    // The whole vector of blocks decides what an algorithm sends at once and where it changes.
    const auto vector_octaves = [&](const GrowthPoint& point) {
        return in_octaves(moves_whole_vector(collective) ? point.size_bytes
                                                         : point.size_bytes * point.ranks);
    };
    const double apart = std::abs(vector_octaves(a) - vector_octaves(b)) / size_octaves;
    const double a_far = std::log2(a.ranks / least_ranks), b_far = std::log2(b.ranks / least_ranks);
    const double walked = a_far * b_far > 0 ? std::min(std::abs(a_far), std::abs(b_far)) : 0;
    return (misfit_sd * misfit_sd + walk_sd * walk_sd * walked) * std::exp(-apart) +
           (a.ranks == b.ranks ? job_sd * job_sd * std::exp(-3 * apart) : 0);
}

/// Levenberg and Marquardt's method for the least sum of squares.
template <typename Evaluate>
VectorXd least_squares(VectorXd at, Evaluate evaluate) {
    constexpr int most_steps = 100;
    double damping = 1e-2;
    auto [residuals, jacobian] = evaluate(at);
    for (int step = 0; step < most_steps && damping < 1e8; ++step) {
        const MatrixXd normal = jacobian.transpose() * jacobian;
        const VectorXd gradient = jacobian.transpose() * residuals;
        MatrixXd damped = normal;
        damped.diagonal() *= 1 + damping;
        const VectorXd next = at - damped.ldlt().solve(gradient);
        auto [next_residuals, next_jacobian] = evaluate(next);
        const double gain = residuals.squaredNorm() - next_residuals.squaredNorm();
        if (!(gain > 0)) {
            damping *= 4;
            continue;
        }
        at = next;
        residuals = std::move(next_residuals);
        jacobian = std::move(next_jacobian);
        damping /= 4;
        if (gain < 1e-9 * residuals.squaredNorm())
            break;
    }
    return at;
}

} // namespace

struct Growth::Learned {
    ArrayXd scale;    ///< of each term, so that its largest share of a measured call is 1
    ArrayXXd shares;  ///< of each term in each world, a column each
    MatrixXd weights; ///< inverse covariance of what the terms leave
    MatrixXd left;    ///< what they leave in each world, a column each
    MatrixXd normals; ///< one number for each world
    double least_ranks = 2;
};

Growth::Growth(Collective collective, std::string_view algorithm, std::vector<GrowthPoint> points)
    : collective_{collective}, points_{std::move(points)} {
    const auto count = static_cast<Eigen::Index>(points_.size());
    auto learned = std::make_shared<Learned>();
    learned->least_ranks = std::ranges::min(points_, {}, &GrowthPoint::ranks).ranks;
    const auto prior_shares = shares_of(collective, algorithm);
    ArrayXd prior(6);
    for (int i = 0; i < 3; ++i) {
        prior[i] = std::log(prior_shares.start_ups[static_cast<std::size_t>(i)]);
        prior[3 + i] = std::log(prior_shares.bytes[static_cast<std::size_t>(i)]);
    }
    if (!moves_whole_vector(collective) && collective != Collective::alltoall)
        prior[5] = std::log(unlikely_share);
    else if (collective == Collective::alltoall)
        prior[5] = std::log(possible_share);
    MatrixXd terms(count, 6);
    VectorXd log_times(count);
    MatrixXd covariances(count, count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto& point = points_[static_cast<std::size_t>(i)];
        terms.row(i) = terms_of(collective, point.ranks, point.size_bytes).matrix();
        log_times[i] = std::log(point.time_s);
        for (Eigen::Index j = 0; j < count; ++j)
            covariances(i, j) = covariance(collective, point, points_[static_cast<std::size_t>(j)],
                                           learned->least_ranks);
        covariances(i, i) += median_sd * median_sd;
    }
    learned->scale =
        (log_times.array().exp().replicate(1, 6) / terms.array()).colwise().minCoeff().transpose();
    terms = terms * learned->scale.matrix().asDiagonal();
    const Eigen::LLT<MatrixXd> factor(covariances);
    const auto evaluate = [&](const VectorXd& log_shares) {
        const ArrayXd shares = log_shares.array().exp();
        const ArrayXd sums = (terms * shares.matrix()).array();
        VectorXd residuals(count + 6);
        MatrixXd jacobian = MatrixXd::Zero(count + 6, 6);
        residuals.head(count) = factor.matrixL().solve((sums.log() - log_times.array()).matrix());
        residuals.tail(6) = (log_shares.array() - prior) / log_share_sd;
        const MatrixXd by_share =
            sums.inverse().matrix().asDiagonal() * terms * shares.matrix().asDiagonal();
        jacobian.topRows(count) = factor.matrixL().solve(by_share);
        jacobian.bottomRows(6).diagonal().setConstant(1 / log_share_sd);
        return std::pair(std::move(residuals), std::move(jacobian));
    };
    const VectorXd best = least_squares(prior.matrix(), evaluate);
    // Draw from the normal distribution that has the same curvature there.
    const MatrixXd jacobian = evaluate(best).second;
    const Eigen::LLT<MatrixXd> precision(jacobian.transpose() * jacobian);
    Random random(1);
    MatrixXd normals(6, worlds);
    for (auto& value : normals.reshaped())
        value = random.normal();
    constexpr double most_log_share = 1; // no term exceeds the time
    learned->shares =
        ((precision.matrixU().solve(normals)).colwise() + best).array().min(most_log_share).exp();
    learned->weights = factor.solve(MatrixXd::Identity(count, count));
    learned->left =
        (-(terms * learned->shares.matrix()).array().log()).matrix().colwise() + log_times;
    learned->normals.resize(1, worlds);
    for (auto& value : learned->normals.reshaped())
        value = random.normal();
    learned_ = std::move(learned);
}

std::vector<double> Growth::draws(double ranks, double size_bytes) const {
    const GrowthPoint asked{ranks, size_bytes, 1};
    const auto count = static_cast<Eigen::Index>(points_.size());
    VectorXd with_points(count);
    for (Eigen::Index i = 0; i < count; ++i)
        with_points[i] = covariance(collective_, asked, points_[static_cast<std::size_t>(i)],
                                    learned_->least_ranks);
    const VectorXd weighted = learned_->weights * with_points;
    const double variance = covariance(collective_, asked, asked, learned_->least_ranks) +
                            median_sd * median_sd - with_points.dot(weighted);
    const ArrayXd terms = terms_of(collective_, ranks, size_bytes) * learned_->scale;
    const Eigen::RowVectorXd log_times =
        (terms.matrix().transpose() * learned_->shares.matrix()).array().log().matrix() +
        weighted.transpose() * learned_->left +
        std::sqrt(std::max(variance, median_sd * median_sd)) * learned_->normals.row(0);
    return {log_times.begin(), log_times.end()};
}

Estimate Growth::at(double ranks, double size_bytes) const {
    auto log_times = draws(ranks, size_bytes);
    std::ranges::sort(log_times);
    return {std::exp(median(log_times)), std::exp(quantile(log_times, 0.05)),
            std::exp(quantile(log_times, 0.95))};
}

} // namespace alltold
