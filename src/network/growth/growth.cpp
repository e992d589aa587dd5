// SPDX-License-Identifier: BSD-3-Clause
// The most plausible sum of terms of each algorithm, then draws of terms and, for all algorithms
// together, of what they leave.
#include "network/growth/growth.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <Eigen/Dense>

namespace alltold {

/// A call as misfits know it.
struct GrowthCall {
    Eigen::Index algorithm;
    bool off_powers; ///< the library's own choice, not on a power of two
    double far;      ///< log2 of its ranks over the least
    double vector_octaves, block_octaves;
};

namespace {

using Eigen::ArrayXd;
using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The numbers below were set on 1,833 calls of four supercomputers, each predicted from those on
// fewer ranks (docs/results/measured.md).

/// The share of a time that a term has before anything is measured, at the call where it has most.
constexpr double expected_share = 0.3, possible_share = 0.05, unlikely_share = 0.003;
/// Half of all shares are within a factor of e to this power times 0.67.
constexpr double log_share_sd = 1.5;
/// How far times are from the sums of terms, as standard deviations of their logarithms.
struct Misfit {
    double everywhere, per_doubling; ///< of ranks
    double of_job; ///< times on another number of ranks were taken in another job, on other hosts
};
constexpr Misfit common_misfit{0.2, 0.15, 0.12}, own_misfit{0.14, 0.2, 0.12};
/// Networks differ in what algorithms have in common: the most plausible of these multiples,
/// each known beforehand to a factor of e.
constexpr std::array common_scales{0.7, 1., 1.4, 2., 2.8, 4.};
/// Misfits are alike for calls this close in size, half of them by the whole vector and half by the
/// block; those of jobs for vectors in a third of that.
constexpr double size_octaves = 8;
/// Own misfits of two algorithms are correlated by exp(-d), d the root mean square of the log
/// ratios of their times at the same calls; less where nothing but the name tells them apart.
constexpr double most_alike = 0.98, unknown_distance = 2;
/// So is the library's own choice on powers of two and on other numbers of ranks: there it mostly
/// runs other algorithms.
constexpr double alike_off_powers = 0.5;
/// A median of a few repetitions is known to that.
constexpr double median_sd = 0.05;
/// Student's t of so many degrees of freedom, its 90 % interval a normal distribution's: most
/// algorithms grow as expected, and a few not at all.
constexpr int tail_freedom = 3;
constexpr double tail_scale = 0.7;
constexpr double most_deviation = 3; ///< of a log time: means exist
constexpr int worlds = Growth::worlds;

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

/// Logarithms, by the words that names of algorithms share, whoever implements them.
ArrayXd log_shares_of(Collective collective, std::string_view algorithm) {
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
    if (!moves_whole_vector(collective))
        shares.bytes[2] = collective == Collective::alltoall ? possible_share : unlikely_share;
    ArrayXd both(6);
    both << shares.start_ups[0], shares.start_ups[1], shares.start_ups[2], shares.bytes[0],
        shares.bytes[1], shares.bytes[2];
    return both.log();
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

/// Covariance of what two calls' log times differ by from the sums of terms.
double covariance(const Misfit& misfit, const GrowthCall& a, const GrowthCall& b) {
    const double vectors = std::abs(a.vector_octaves - b.vector_octaves) / size_octaves;
    const double blocks = std::abs(a.block_octaves - b.block_octaves) / size_octaves;
    const double walked = a.far * b.far > 0 ? std::min(std::abs(a.far), std::abs(b.far)) : 0;
    const auto square = [](double x) { return x * x; };
    return (square(misfit.everywhere) + square(misfit.per_doubling) * walked) *
               (std::exp(-vectors) + std::exp(-blocks)) / 2 +
           (a.far == b.far ? square(misfit.of_job) * std::exp(-3 * vectors) : 0);
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

/// Correlations of the algorithms' own misfits, from the times of calls that both were measured at.
MatrixXd likeness_of(const std::vector<std::string>& algorithms,
                     const std::vector<GrowthPoint>& points) {
    std::map<std::string, std::map<std::pair<double, double>, double>> times;
    for (const auto& point : points)
        times[point.algorithm][{point.ranks, point.size_bytes}] = std::log(point.time_s);
    const auto count = static_cast<Eigen::Index>(algorithms.size());
    MatrixXd likeness = MatrixXd::Identity(count, count);
    for (Eigen::Index i = 0; i < count; ++i)
        for (Eigen::Index j = 0; j < i; ++j) {
            const auto& others = times[algorithms[static_cast<std::size_t>(j)]];
            double squares = 0;
            int both = 0;
            for (const auto& [call, log_time] : times[algorithms[static_cast<std::size_t>(i)]])
                if (const auto other = others.find(call); other != others.end()) {
                    squares += (log_time - other->second) * (log_time - other->second);
                    ++both;
                }
            const double distance = both > 1 ? std::sqrt(squares / both) : unknown_distance;
            likeness(i, j) = likeness(j, i) = most_alike * std::exp(-distance);
        }
    // Distances from different calls need not fit together.
    const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(likeness);
    likeness = parts.eigenvectors() * parts.eigenvalues().cwiseMax(1e-6).asDiagonal() *
               parts.eigenvectors().transpose();
    const VectorXd norms = likeness.diagonal().cwiseSqrt().cwiseInverse();
    return norms.asDiagonal() * likeness * norms.asDiagonal();
}

template <typename Covariance>
MatrixXd covariances(const std::vector<GrowthCall>& a, const std::vector<GrowthCall>& b,
                     Covariance covariance) {
    MatrixXd all(static_cast<Eigen::Index>(a.size()), static_cast<Eigen::Index>(b.size()));
    for (Eigen::Index i = 0; i < all.rows(); ++i)
        for (Eigen::Index j = 0; j < all.cols(); ++j)
            all(i, j) = covariance(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]);
    return all;
}

MatrixXd normal_numbers(Random& random, Eigen::Index rows) {
    MatrixXd numbers(rows, worlds);
    for (auto& number : numbers.reshaped())
        number = random.normal();
    return numbers;
}

} // namespace

struct Growth::Learned {
    struct Terms {
        ArrayXd scale;   ///< of each, so that its largest share of a measured call is 1
        ArrayXXd shares; ///< of each in each world, a column each
    };

    Collective collective;
    std::vector<GrowthPoint> points;
    std::vector<GrowthCall> calls; ///< the points
    double least_ranks;
    std::vector<std::string> algorithms; ///< in alphabetical order
    std::vector<Terms> terms;            ///< of each algorithm
    MatrixXd likeness;
    double common_scale = 1;
    Eigen::LLT<MatrixXd> factor; ///< of the covariances of what the terms leave
    MatrixXd weighted;           ///< what they leave in each world, by the inverse covariances
    MatrixXd normals;            ///< of each algorithm in each world
    ArrayXd tails;               ///< a factor on deviations in each world
    std::mutex mutex;
    std::optional<std::pair<double, double>> last; ///< n and m of the call that was asked last
    ArrayXXd last_draws;

    Learned(Collective collective, std::vector<GrowthPoint> points);
    std::size_t index(const std::string& algorithm) const;
    GrowthCall call_of(const GrowthPoint& point) const;
    double own(const GrowthCall& a, const GrowthCall& b) const;
    void learn(std::size_t algorithm, Random& random, MatrixXd& left, VectorXd& linear,
               MatrixXd& of_terms);
    ArrayXXd draws(double ranks, double size_bytes) const;
};

Growth::Learned::Learned(Collective of, std::vector<GrowthPoint> all)
    : collective{of}, points{std::move(all)},
      least_ranks{std::ranges::min(points, {}, &GrowthPoint::ranks).ranks} {
    for (const auto& point : points)
        algorithms.push_back(point.algorithm);
    std::ranges::sort(algorithms);
    const auto [first, last_one] = std::ranges::unique(algorithms);
    algorithms.erase(first, last_one);
    terms.resize(algorithms.size());
    for (const auto& point : points)
        calls.push_back(call_of(point));
    likeness = likeness_of(algorithms, points);
    const auto count = static_cast<Eigen::Index>(points.size());
    MatrixXd left(count, worlds);
    VectorXd linear(count);
    MatrixXd of_terms = MatrixXd::Zero(count, count);
    Random random(1);
    for (std::size_t i = 0; i < algorithms.size(); ++i)
        learn(i, random, left, linear, of_terms);
    const MatrixXd of_common =
        covariances(calls, calls, [](const GrowthCall& a, const GrowthCall& b) {
            return covariance(common_misfit, a, b);
        });
    MatrixXd of_own = covariances(
        calls, calls, [&](const GrowthCall& a, const GrowthCall& b) { return own(a, b); });
    of_own.diagonal().array() += median_sd * median_sd;
    double best = -INFINITY;
    for (const double scale : common_scales) {
        const Eigen::LLT<MatrixXd> with(scale * scale * of_common + of_own + of_terms);
        const double plausible = -with.matrixL().solve(linear).squaredNorm() / 2 -
                                 with.matrixLLT().diagonal().array().log().sum() -
                                 std::log(scale) * std::log(scale) / 2;
        if (plausible > best) {
            best = plausible;
            common_scale = scale;
        }
    }
    factor.compute(common_scale * common_scale * of_common + of_own);
    weighted = factor.solve(left);
    normals = normal_numbers(random, static_cast<Eigen::Index>(algorithms.size()));
    tails = tail_scale *
            (tail_freedom / normal_numbers(random, tail_freedom).colwise().squaredNorm().array())
                .sqrt()
                .transpose();
}

std::size_t Growth::Learned::index(const std::string& algorithm) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(algorithms, algorithm) -
                                    algorithms.begin());
}

GrowthCall Growth::Learned::call_of(const GrowthPoint& point) const {
    const bool whole = moves_whole_vector(collective);
    return {static_cast<Eigen::Index>(index(point.algorithm)),
            point.algorithm == "mpi" && !std::has_single_bit(static_cast<unsigned>(point.ranks)),
            std::log2(point.ranks / least_ranks),
            in_octaves(whole ? point.size_bytes : point.size_bytes * point.ranks),
            in_octaves(point.size_bytes)};
}

double Growth::Learned::own(const GrowthCall& a, const GrowthCall& b) const {
    return likeness(a.algorithm, b.algorithm) *
           (a.off_powers == b.off_powers ? 1 : alike_off_powers) * covariance(own_misfit, a, b);
}

/// Learns the terms of one algorithm from its own calls; what they leave of these, in each world;
/// and what they leave of these at the terms that are expected beforehand, with its covariance, as
/// if times were linear in the logarithms of the terms.
void Growth::Learned::learn(std::size_t algorithm, Random& random, MatrixXd& left, VectorXd& linear,
                            MatrixXd& of_terms) {
    std::vector<Eigen::Index> rows;
    std::vector<GrowthCall> own_calls;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].algorithm == algorithms[algorithm]) {
            rows.push_back(static_cast<Eigen::Index>(i));
            own_calls.push_back(calls[i]);
        }
    const auto count = static_cast<Eigen::Index>(rows.size());
    const ArrayXd prior = log_shares_of(collective, algorithms[algorithm]);
    MatrixXd by_term(count, 6);
    VectorXd log_times(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto& point = points[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])];
        by_term.row(i) = terms_of(collective, point.ranks, point.size_bytes).matrix();
        log_times[i] = std::log(point.time_s);
    }
    auto& [scale, shares] = terms[algorithm];
    scale = (log_times.array().exp().replicate(1, 6) / by_term.array())
                .colwise()
                .minCoeff()
                .transpose();
    by_term = by_term * scale.matrix().asDiagonal();
    MatrixXd both =
        covariances(own_calls, own_calls, [&](const GrowthCall& a, const GrowthCall& b) {
            return covariance(common_misfit, a, b) + own(a, b);
        });
    both.diagonal().array() += median_sd * median_sd;
    const Eigen::LLT<MatrixXd> alone(both);
    /// By how much log times grow with the logarithm of each share.
    const auto slopes = [&](const ArrayXd& sums, const ArrayXd& at) -> MatrixXd {
        return sums.inverse().matrix().asDiagonal() * by_term * at.matrix().asDiagonal();
    };
    const auto evaluate = [&](const VectorXd& log_shares) {
        const ArrayXd at = log_shares.array().exp();
        const ArrayXd sums = (by_term * at.matrix()).array();
        VectorXd residuals(count + 6);
        MatrixXd jacobian = MatrixXd::Zero(count + 6, 6);
        residuals.head(count) = alone.matrixL().solve((sums.log() - log_times.array()).matrix());
        residuals.tail(6) = (log_shares.array() - prior) / log_share_sd;
        jacobian.topRows(count) = alone.matrixL().solve(slopes(sums, at));
        jacobian.bottomRows(6).diagonal().setConstant(1 / log_share_sd);
        return std::pair(std::move(residuals), std::move(jacobian));
    };
    const VectorXd best = least_squares(prior.matrix(), evaluate);
    // Draw from the normal distribution that has the same curvature there.
    const MatrixXd jacobian = evaluate(best).second;
    const Eigen::LLT<MatrixXd> precision(jacobian.transpose() * jacobian);
    constexpr double most_log_share = 1; // no term exceeds the time
    shares = ((precision.matrixU().solve(normal_numbers(random, 6))).colwise() + best)
                 .array()
                 .min(most_log_share)
                 .exp();
    left(rows, Eigen::all) =
        (-(by_term * shares.matrix()).array().log()).matrix().colwise() + log_times;
    const ArrayXd at_best = best.array().exp();
    const ArrayXd sums = (by_term * at_best.matrix()).array();
    const MatrixXd by_share = slopes(sums, at_best);
    linear(rows) = log_times - sums.log().matrix() + by_share * (best - prior.matrix());
    of_terms(rows, rows) = log_share_sd * log_share_sd * by_share * by_share.transpose();
}

/// Log times of a call by each algorithm, a row, in each world.
ArrayXXd Growth::Learned::draws(double ranks, double size_bytes) const {
    std::vector<GrowthCall> asked;
    for (const auto& algorithm : algorithms)
        asked.push_back(call_of({algorithm, ranks, size_bytes, 1}));
    const auto both = [&](const GrowthCall& a, const GrowthCall& b) {
        return common_scale * common_scale * covariance(common_misfit, a, b) + own(a, b);
    };
    const MatrixXd with_calls = covariances(asked, calls, both);
    MatrixXd left = covariances(asked, asked, both);
    const MatrixXd known = factor.matrixL().solve(with_calls.transpose());
    left -= known.transpose() * known;
    left.diagonal().array() += median_sd * median_sd;
    const MatrixXd root = left.llt().matrixL();
    ArrayXXd log_times = (with_calls * weighted + root * normals).array();
    const ArrayXd call_terms = terms_of(collective, ranks, size_bytes);
    for (std::size_t i = 0; i < algorithms.size(); ++i) {
        auto row = log_times.row(static_cast<Eigen::Index>(i));
        const auto& [scale, shares] = terms[i];
        row += ((call_terms * scale).matrix().transpose() * shares.matrix()).array().log();
        const std::vector<double> drawn(row.begin(), row.end());
        const double middle = median(drawn);
        row =
            middle + ((row - middle) * tails.transpose()).min(most_deviation).max(-most_deviation);
    }
    return log_times;
}

Growth::Growth(Collective collective, std::vector<GrowthPoint> points)
    : learned_{std::make_shared<Learned>(collective, std::move(points))} {}

std::vector<double> Growth::draws(const std::string& algorithm, double ranks,
                                  double size_bytes) const {
    // Algorithms are compared call by call.
    const std::lock_guard lock(learned_->mutex);
    const std::pair call(ranks, size_bytes);
    if (learned_->last != call) {
        learned_->last_draws = learned_->draws(ranks, size_bytes);
        learned_->last = call;
    }
    const auto row =
        learned_->last_draws.row(static_cast<Eigen::Index>(learned_->index(algorithm)));
    return {row.begin(), row.end()};
}

Estimate Growth::time_of(const std::vector<double>& draws) {
    return {std::exp(median(draws)), std::exp(quantile(draws, 0.05)),
            std::exp(quantile(draws, 0.95))};
}

} // namespace alltold
