// SPDX-License-Identifier: BSD-3-Clause
// Repetitions gathered by size: what both fits start from.
#pragma once

#include "core/random.hpp"
#include "network/samples.hpp"

namespace alltold {

/// All that was measured at one size.
struct Cell {
    double size_bytes = 0;
    std::vector<int> groups;                  ///< one entry per series
    std::vector<std::vector<double>> times_s; ///< repetitions of each of those
    double centre_s = 0;                      ///< median over the series of their medians
    double relative_error = 0;                ///< standard error of centre_s over centre_s, above 0
};

/// Standard error of the median of one or more times; usual_scatter of one of fewer than show their
/// own.
double median_error(std::span<const double> times_s);

/// Gathers series by size, in increasing order. Refuses (status `no`), naming `what` and the size,
/// series that are not fitted (Series::fitted), and times that are not positive and finite; an
/// empty answer is none.
Result<std::vector<Cell>> gather(std::span<const Series> series, std::string_view what);

/// One bootstrap draw of every cell's centre: groups are drawn with replacement and kept over all
/// sizes, because a pair differs from others at every size alike; then repetitions within each.
std::vector<double> redraw(std::span<const Cell> cells, Random& random);

/// Why the times cannot be distinguished from noise, or empty if they can: they do not grow with
/// size, neither by a rank test over the sizes, or over those whose times can be told apart, nor
/// along a line, or not by a rank test over the repetitions.
std::string growth_objection(std::span<const Cell> cells);

/// Why a fit of these centres by `fitted_s` is no better than chance, or empty: it leaves more than
/// a quarter of the variance between the sizes, of log time and of time itself.
std::string misfit_objection(std::span<const Cell> cells, std::span<const double> fitted_s);

} // namespace alltold
