// SPDX-License-Identifier: BSD-3-Clause
// Medians with intervals, made monotone; differences of trains.
#include "network/fit/curve_fit.hpp"

#include <map>

#include <fmt/format.h>

#include "core/least_squares.hpp"
#include "core/units.hpp"
#include "network/fit/cells.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_curve_sizes = 3;
constexpr int curve_draws = 400;

/// Neighbours out of order are pooled to their weighted mean until none are (Barlow et al. 1972).
std::vector<double> never_falling(std::span<const double> values, std::span<const double> weights) {
    struct Block {
        double mean = 0;
        double weight = 0;
        std::size_t count = 0;
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < values.size(); ++i) {
        blocks.push_back({values[i], weights[i], 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean > blocks.back().mean) {
            const Block last = blocks.back();
            blocks.pop_back();
            Block& before = blocks.back();
            const double weight = before.weight + last.weight;
            before.mean = (before.mean * before.weight + last.mean * last.weight) / weight;
            before.weight = weight;
            before.count += last.count;
        }
    }
    std::vector<double> pooled;
    for (const Block& block : blocks)
        pooled.insert(pooled.end(), block.count, block.mean);
    return pooled;
}

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

Result<SizeCurve> fit_curve(std::span<const Series> series, std::string_view what,
                            std::uint64_t seed) {
    ALLTOLD_TRY(gathered, gather(series, what));
    const auto& cells = *gathered;
    if (cells.size() < fewest_curve_sizes)
        return refused(fmt::format("{}: {} size(s) measured; a curve needs at least {}", what,
                                   cells.size(), fewest_curve_sizes));
    if (const auto objection = growth_objection(cells); !objection.empty())
        return refused(fmt::format("{}: {}", what, objection));

    std::vector<double> centres;
    std::vector<double> weights;
    for (const Cell& cell : cells) {
        centres.push_back(cell.centre_s);
        weights.push_back(std::pow(cell.relative_error * cell.centre_s, -2));
    }
    const auto pooled = never_falling(centres, weights);
    Random random(seed);
    std::vector<std::vector<double>> drawn(cells.size());
    for (int draw = 0; draw < curve_draws; ++draw) {
        const auto again = never_falling(redraw(cells, random), weights);
        for (std::size_t i = 0; i < again.size(); ++i)
            drawn[i].push_back(again[i]);
    }
    std::vector<SizeCurve::Point> points;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto interval = percentile_interval(drawn[i]);
        points.push_back(
            {cells[i].size_bytes,
             {pooled[i], std::min(interval.low, pooled[i]), std::max(interval.high, pooled[i])}});
    }
    return SizeCurve(std::move(points));
}

Result<SizeCurve> fit_gap(std::span<const Train> trains, std::string_view what,
                          std::uint64_t seed) {
    struct Ends {
        const Train* shortest = nullptr;
        const Train* longest = nullptr;
    };
    std::map<std::pair<double, int>, Ends> by_size;
    for (const Train& train : trains) {
        auto& [shortest, longest] = by_size[{train.series.size_bytes, train.series.group}];
        if (!shortest || train.messages < shortest->messages)
            shortest = &train;
        if (!longest || train.messages > longest->messages)
            longest = &train;
    }
    std::vector<Series> gaps;
    for (const auto& [key, ends] : by_size) {
        const auto& [shortest, longest] = ends;
        if (shortest->messages == longest->messages)
            return refused(fmt::format(
                "{} at {}: only trains of {} messages; a gap needs two lengths of train", what,
                format_size(key.first), longest->messages));
        for (const Train* train : {shortest, longest})
            if (!train->series.fitted())
                return refused(fmt::format(
                    "{} at {}: {} repetition(s) of {} messages; at least 3 needed", what,
                    format_size(key.first), train->series.times_s.size(), train->messages));
        Series gap = longest->series;
        const double start_s = median(shortest->series.times_s);
        for (double& time_s : gap.times_s)
            time_s = (time_s - start_s) / (longest->messages - shortest->messages);
        gaps.push_back(std::move(gap));
    }
    return fit_curve(gaps, what, seed);
}

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
