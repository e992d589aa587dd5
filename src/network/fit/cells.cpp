// SPDX-License-Identifier: BSD-3-Clause
#include "network/fit/cells.hpp"

#include <map>

#include <fmt/format.h>

#include "core/statistics.hpp"
#include "core/units.hpp"

namespace alltold {
namespace {

/// Ten repetitions tell their own spread to a quarter only, so each size's estimate is pulled
/// towards the median of all with the weight of this many repetitions.
constexpr double pooled_repetitions = 8;
/// Data without any scatter (a simulator's) still gets weights.
constexpr double smallest_relative_error = 1e-6;

/// The median of repetitions that are drawn with replacement. Few show no scatter of their own.
double redrawn_median(const std::vector<double>& times_s, Random& random) {
    const double drawn = median(resample(times_s, random));
    return times_s.size() < fewest_repetitions
               ? drawn * std::exp(median_error(times_s) / median(times_s) * random.normal())
               : drawn;
}

double centre_of(const std::vector<std::vector<double>>& times_s) {
    std::vector<double> medians;
    for (const auto& times : times_s)
        medians.push_back(median(times));
    return median(medians);
}

std::size_t repetitions(const Cell& cell) {
    std::size_t count = 0;
    for (const auto& times : cell.times_s)
        count += times.size();
    return count;
}

/// Standard error of a cell's centre over the centre: between the series where there are several,
/// since their differences hold the repetitions' scatter too, else from the repetitions.
double own_relative_error(const Cell& cell) {
    if (cell.times_s.size() == 1)
        return median_error(cell.times_s.front()) / cell.centre_s;
    std::vector<double> medians;
    double within = 0;
    for (const auto& times : cell.times_s) {
        medians.push_back(median(times));
        within += std::pow(median_error(times), 2);
    }
    const auto count = static_cast<double>(medians.size());
    return std::hypot(median_standard_error(medians), std::sqrt(within) / count) / cell.centre_s;
}

void set_errors(std::vector<Cell>& cells) {
    std::vector<double> spreads; // of one repetition, so that cells with more of them compare
    for (const Cell& cell : cells)
        spreads.push_back(own_relative_error(cell) *
                          std::sqrt(static_cast<double>(repetitions(cell))));
    const double pooled = median(spreads);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto count = static_cast<double>(repetitions(cells[i]));
        const double variance =
            ((count - 1) * spreads[i] * spreads[i] + pooled_repetitions * pooled * pooled) /
            (count - 1 + pooled_repetitions);
        cells[i].relative_error = std::max(std::sqrt(variance / count), smallest_relative_error);
    }
}

} // namespace

double median_error(std::span<const double> times_s) {
    return times_s.size() < fewest_repetitions
               ? usual_scatter * median(times_s) / std::sqrt(static_cast<double>(times_s.size()))
               : median_standard_error(times_s);
}

Result<std::vector<Cell>> gather(std::span<const Series> series, std::string_view what) {
    std::map<double, Cell> by_size;
    for (const Series& one : series) {
        const auto where = fmt::format("{} at {}", what, format_size(one.size_bytes));
        if (!one.fitted())
            return refused(fmt::format("{}: {} repetition(s); at least {} needed to "
                                       "estimate their scatter",
                                       where, one.times_s.size(), fewest_repetitions));
        for (const double time_s : one.times_s)
            if (!std::isfinite(time_s) || time_s <= 0)
                return refused(fmt::format("{}: a time of {} s; times must be positive and finite",
                                           where, time_s));
        Cell& cell = by_size[one.size_bytes];
        cell.size_bytes = one.size_bytes;
        cell.groups.push_back(one.group);
        cell.times_s.push_back(one.times_s);
    }
    std::vector<Cell> cells;
    for (auto& [size, cell] : by_size) {
        cell.centre_s = centre_of(cell.times_s);
        cells.push_back(std::move(cell));
    }
    if (!cells.empty())
        set_errors(cells);
    return cells;
}

std::vector<double> redraw(std::span<const Cell> cells, Random& random) {
    std::vector<int> groups;
    for (const Cell& cell : cells)
        groups.insert(groups.end(), cell.groups.begin(), cell.groups.end());
    std::ranges::sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    std::vector<int> chosen;
    for (std::size_t i = 0; i < groups.size(); ++i)
        chosen.push_back(groups[random.index(groups.size())]);

    std::vector<double> centres;
    for (const Cell& cell : cells) {
        std::vector<double> medians;
        for (const int group : chosen)
            for (std::size_t i = 0; i < cell.groups.size(); ++i)
                if (cell.groups[i] == group)
                    medians.push_back(redrawn_median(cell.times_s[i], random));
        if (medians.empty()) // none of the chosen pairs was measured at this size
            for (const auto& times : cell.times_s)
                medians.push_back(redrawn_median(times, random));
        centres.push_back(median(medians));
    }
    return centres;
}

} // namespace alltold
