// SPDX-License-Identifier: BSD-3-Clause
// Whether times can be told from noise at all, before and after a fit.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/units.hpp"
#include "fit/cells.hpp"
#include "stats/trend.hpp"

namespace alltold {
namespace {

/// Between sizes there are few points: four in perfect order happen by chance in 1 of 24 cases.
constexpr double chance_over_sizes = 0.05;
/// Between repetitions there are many, and a true growth is plain.
constexpr double chance_over_repetitions = 0.001;
constexpr double most_unexplained = 0.25;

} // namespace

std::string growth_objection(std::span<const Cell> cells) {
    std::vector<double> centres;
    std::vector<double> sizes;
    std::vector<double> times;
    double perfect_order = 1;
    for (const Cell& cell : cells) {
        centres.push_back(cell.centre_s);
        perfect_order /= static_cast<double>(centres.size());
        for (const auto& series : cell.times_s)
            for (const double time_s : series) {
                sizes.push_back(cell.size_bytes);
                times.push_back(time_s);
            }
    }
    const double over_sizes = kendall_upward_probability(centres);
    const double over_repetitions = spearman_upward_probability(sizes, times);
    // Three sizes cannot reach the level; there the best order possible must do.
    if (over_sizes <= std::max(chance_over_sizes, 1.000001 * perfect_order) &&
        over_repetitions <= chance_over_repetitions)
        return {};
    return fmt::format("the times cannot be told from noise: they do not grow with size (median {} "
                       "at {}, {} at {}; chance orders the medians as well as this in {:.2g} % of "
                       "cases, the repetitions in {:.2g} %)",
                       format_time(centres.front()), format_size(cells.front().size_bytes),
                       format_time(centres.back()), format_size(cells.back().size_bytes),
                       100 * over_sizes, 100 * over_repetitions);
}

std::string misfit_objection(std::span<const Cell> cells, std::span<const double> fitted_s) {
    double mean = 0;
    for (const Cell& cell : cells)
        mean += std::log(cell.centre_s) / static_cast<double>(cells.size());
    double around_mean = 0;
    double around_fit = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        around_mean += std::pow(std::log(cells[i].centre_s) - mean, 2);
        around_fit += std::pow(std::log(cells[i].centre_s / fitted_s[i]), 2);
    }
    if (around_fit <= most_unexplained * around_mean)
        return {};
    return fmt::format("the fit cannot be told from noise: it leaves {:.0f} % of the variance of "
                       "log time between the sizes unexplained, and {:.0f} % is the most it may",
                       100 * around_fit / around_mean, 100 * most_unexplained);
}

} // namespace alltold
