// SPDX-License-Identifier: BSD-3-Clause
// Weighted least squares with a free offset, and the bootstrap around it.
#include "network/fit/rate_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/bootstrap.hpp"
#include "core/least_squares.hpp"
#include "core/units.hpp"
#include "network/fit/cells.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_rate_lengths = 3;
constexpr double smallest_rate_span = 4;
constexpr int rate_draws = 400;

StraightLine fit_line(std::span<const Cell> cells, std::span<const double> centres) {
    std::vector<double> bytes, variances;
    for (const auto& cell : cells) {
        bytes.push_back(cell.size_bytes);
        variances.push_back(std::pow(cell.relative_error * cell.centre_s, 2));
    }
    return straight_line(bytes, centres, variances);
}

Estimate around(double value, std::span<const double> drawn) {
    return drawn.empty() ? Estimate::exact(value) : estimate_from(value, drawn);
}

} // namespace

Result<RateFit> fit_rate(std::span<const Series> lengths, std::string_view what,
                         std::uint64_t seed) {
    ALLTOLD_TRY(gathered, gather(lengths, what));
    const auto& cells = *gathered;
    if (cells.size() < fewest_rate_lengths)
        return refused(fmt::format("{}: {} length(s) measured; a rate needs at least {}", what,
                                   cells.size(), fewest_rate_lengths));
    if (cells.back().size_bytes < smallest_rate_span * cells.front().size_bytes)
        return refused(fmt::format("{}: lengths from {} to {} span less than a factor of {}", what,
                                   format_size(cells.front().size_bytes),
                                   format_size(cells.back().size_bytes), smallest_rate_span));
    if (const auto objection = growth_objection(cells); !objection.empty())
        return refused(fmt::format("{}: {}", what, objection));

    std::vector<double> centres;
    for (const Cell& cell : cells)
        centres.push_back(cell.centre_s);
    const auto line = fit_line(cells, centres);
    if (line.slope <= 0)
        return refused(fmt::format("{}: times decrease with length", what));
    RateFit fit;
    std::vector<double> fitted;
    double squares = 0;
    for (const Cell& cell : cells) {
        // A time of 0 or less would be no fit at all, and its logarithm none.
        fitted.push_back(std::max(line.at(cell.size_bytes), 1e-3 * cell.centre_s));
        squares += std::pow(cell.centre_s / fitted.back() - 1, 2);
    }
    if (const auto objection = misfit_objection(cells, fitted); !objection.empty())
        return refused(fmt::format("{}: {}", what, objection));
    fit.residual_relative = std::sqrt(squares / static_cast<double>(cells.size()));

    // The error that keeps medians off the line beside their scatter is drawn anew each time.
    Random random(seed);
    std::vector<double> rates, offsets_s;
    for (int draw = 0; draw < rate_draws; ++draw) {
        auto again = redraw(cells, random);
        for (std::size_t i = 0; i < cells.size(); ++i)
            again[i] += (centres[i] - fitted[i]) * random.normal();
        if (const auto [offset, slope] = fit_line(cells, again); slope > 0) {
            rates.push_back(1 / slope);
            offsets_s.push_back(offset);
        }
    }
    fit.goodput_bytes_per_s = around(1 / line.slope, rates);
    fit.offset_s = around(line.offset, offsets_s);
    return fit;
}

} // namespace alltold
