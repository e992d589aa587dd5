// SPDX-License-Identifier: BSD-3-Clause
// Whether times can be distinguished from noise at all, before and after a fit.
#include <fmt/format.h>

#include "core/least_squares.hpp"
#include "core/rank_tests.hpp"
#include "core/units.hpp"
#include "network/fit/cells.hpp"

namespace alltold {
namespace {

/// Between sizes there are few points: four in perfect order happen by chance in 1 of 24 cases.
constexpr double chance_over_sizes = 0.05;
/// Between repetitions there are many, and a true growth is plain.
constexpr double chance_over_repetitions = 0.001;
constexpr double most_unexplained = 0.25;
/// A slope this sure is growth too, where small sizes take nearly the same time and change places.
constexpr double chance_of_a_slope = 0.01;

/// Chance that a line through these centres, relative errors alike, rises as surely.
double slope_probability(std::span<const Cell> cells) {
    const auto count = static_cast<Eigen::Index>(cells.size());
    if (count < 3)
        return 1;
    Eigen::MatrixXd design(count, 2);
    Eigen::VectorXd observed(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Cell& cell = cells[static_cast<std::size_t>(i)];
        design.row(i) << 1, cell.size_bytes;
        observed(i) = cell.centre_s;
    }
    const auto fit = weighted_least_squares(design, observed, observed.cwiseAbs2());
    const int freedom = static_cast<int>(count) - 2;
    const double error = std::sqrt(fit.covariance(1, 1) * fit.chi_squared / freedom);
    return error > 0                 ? 1 - student_probability(fit.coefficients(1) / error, freedom)
           : fit.coefficients(1) > 0 ? 0
                                     : 1;
}

/// The centres in the order of sizes. Where one lies below that of the size before it by no more
/// than their errors allow, both are replaced by their weighted mean.
std::vector<double> told_apart(std::span<const Cell> cells) {
    struct Level {
        double centre_s, variance;
    };
    constexpr double errors_apart = 2;
    std::vector<Level> levels;
    for (const Cell& cell : cells) {
        levels.push_back({cell.centre_s, std::pow(cell.relative_error * cell.centre_s, 2)});
        while (levels.size() > 1) {
            const auto &last = levels.back(), &before = levels[levels.size() - 2];
            const double fall_s = before.centre_s - last.centre_s,
                         variance = before.variance + last.variance;
            if (fall_s <= 0 || fall_s > errors_apart * std::sqrt(variance))
                break;
            const Level mean{(before.centre_s * last.variance + last.centre_s * before.variance) /
                                 variance,
                             before.variance * last.variance / variance};
            levels.pop_back();
            levels.back() = mean;
        }
    }
    std::vector<double> centres;
    for (const auto& level : levels)
        centres.push_back(level.centre_s);
    return centres;
}

/// Chance that the best order of so many is one.
double chance_of_perfect_order(std::size_t count) {
    return 1 / std::tgamma(static_cast<double>(count) + 1);
}

/// Whether the centres are in a better order than chance makes of them. Three cannot reach the
/// level; there the best order possible must do.
bool is_ordered(std::span<const double> centres) {
    constexpr std::size_t fewest = 3;
    return centres.size() >= fewest &&
           kendall_upward_probability(centres) <=
               std::max(chance_over_sizes, 1.000001 * chance_of_perfect_order(centres.size()));
}

} // namespace

std::string growth_objection(std::span<const Cell> cells) {
    std::vector<double> centres;
    std::vector<double> sizes;
    std::vector<double> times;
    for (const Cell& cell : cells) {
        centres.push_back(cell.centre_s);
        for (const auto& series : cell.times_s)
            for (const double time_s : series) {
                sizes.push_back(cell.size_bytes);
                times.push_back(time_s);
            }
    }
    const bool repeated = times.size() > cells.size(); // else the centres are all there is
    const double over_repetitions = spearman_upward_probability(sizes, times);
    if ((is_ordered(centres) || is_ordered(told_apart(cells)) ||
         slope_probability(cells) <= chance_of_a_slope) &&
        (!repeated || over_repetitions <= chance_over_repetitions))
        return {};
    return fmt::format("the times are only noise: they do not grow with size (median {} "
                       "at {}, {} at {}; chance alone orders the medians this well in {:.2g} % of "
                       "cases, the repetitions in {:.2g} %)",
                       format_time(centres.front()), format_size(cells.front().size_bytes),
                       format_time(centres.back()), format_size(cells.back().size_bytes),
                       100 * kendall_upward_probability(centres), 100 * over_repetitions);
}

namespace {

/// The share of the variance between the sizes, on the scale of `of`, that the fit leaves.
template <typename Of>
double unexplained_share(std::span<const Cell> cells, std::span<const double> fitted_s, Of&& of) {
    double mean = 0;
    for (const Cell& cell : cells)
        mean += of(cell.centre_s) / static_cast<double>(cells.size());
    double around_mean = 0;
    double around_fit = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        around_mean += std::pow(of(cells[i].centre_s) - mean, 2);
        around_fit += std::pow(of(cells[i].centre_s) - of(fitted_s[i]), 2);
    }
    return around_fit / around_mean;
}

} // namespace

// Log time looks at all sizes alike, plain time at the large ones. A network far away is flat over
// most sizes, where small steps weigh much in log time though the line is right where it matters;
// so it takes both to object.
std::string misfit_objection(std::span<const Cell> cells, std::span<const double> fitted_s) {
    const double of_log = unexplained_share(cells, fitted_s, [](double x) { return std::log(x); });
    const double of_time = unexplained_share(cells, fitted_s, [](double x) { return x; });
    if (std::min(of_log, of_time) <= most_unexplained)
        return {};
    return fmt::format("the fit explains only noise: unexplained variance between sizes: {} of "
                       "log time, {} of time; limit {}",
                       format_percent(of_log, 0), format_percent(of_time, 0),
                       format_percent(most_unexplained, 0));
}

} // namespace alltold
