// SPDX-License-Identifier: BSD-3-Clause
#include "network/plogp/plogp_fit.hpp"

#include <tuple>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/fit/cells.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_plogp_sizes = 4;
constexpr double smallest_plogp_span = 8;
constexpr int plogp_draws = 600;

/// log time at `at` on the line through `a` and `b` over log size.
double along(const Cell& a, const Cell& b, double size_bytes) {
    const auto x = [](double bytes) { return std::log(std::max(bytes, 1.)); };
    const double slope = (std::log(b.centre_s) - std::log(a.centre_s)) /
                         std::max(x(b.size_bytes) - x(a.size_bytes), 1e-9);
    return std::log(a.centre_s) + slope * (x(size_bytes) - x(a.size_bytes));
}

/// Each size's time as its neighbours have it: between the two, and constant at the ends.
std::vector<double> from_neighbours(std::span<const Cell> cells) {
    std::vector<double> times_s;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i == 0)
            times_s.push_back(cells[1].centre_s);
        else if (i + 1 == cells.size())
            times_s.push_back(std::exp(along(cells[i - 2], cells[i - 1], cells[i].size_bytes)));
        else
            times_s.push_back(std::exp(along(cells[i - 1], cells[i + 1], cells[i].size_bytes)));
    }
    return times_s;
}

/// The interval of one cell: exact where one pair was measured often enough, else from `drawn`.
Estimate interval_of(const Cell& cell, std::span<const double> drawn) {
    if (cell.times_s.size() == 1) {
        const auto exact = median_interval(cell.times_s.front());
        if (std::isfinite(exact.relative_half_width()))
            return exact;
    }
    return percentile_interval(drawn);
}

SizeCurve curve_through(std::span<const Cell> cells, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::vector<double>> drawn(cells.size());
    for (int draw = 0; draw < plogp_draws; ++draw) {
        const auto centres = redraw(cells, random);
        for (std::size_t i = 0; i < cells.size(); ++i)
            drawn[i].push_back(centres[i]);
    }
    std::vector<SizeCurve::Point> points;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto interval = interval_of(cells[i], drawn[i]);
        const double time_s = cells[i].centre_s;
        points.push_back(
            {cells[i].size_bytes,
             {time_s, std::min(interval.low, time_s), std::max(interval.high, time_s)}});
    }
    return SizeCurve(std::move(points));
}

/// L and its interval from half round trips and the curve of gaps.
Estimate latency(const Cell& half_trips, const SizeCurve& gaps, std::uint64_t seed) {
    Random random(seed);
    const auto gap = gaps.estimate(half_trips.size_bytes);
    const std::span<const Cell> cells(&half_trips, 1);
    std::vector<double> drawn;
    for (int draw = 0; draw < plogp_draws; ++draw) {
        // The gap's interval as a normal's: 1.96 standard deviations to each side.
        const double deviate = random.normal() / 1.96;
        const double side = deviate < 0 ? gap.value - gap.low : gap.high - gap.value;
        drawn.push_back(redraw(cells, random).front() - (gap.value + deviate * side));
    }
    const double value = half_trips.centre_s - gap.value;
    const auto interval = percentile_interval(drawn);
    if (value <= 0)
        return {0, 0, half_trips.centre_s};
    return {value, std::clamp(interval.low, 0., value), std::max(interval.high, value)};
}

} // namespace

Result<SizeCurve> fit_plogp_curve(std::span<const Series> series, const char* what,
                                  std::uint64_t seed) {
    ALLTOLD_TRY(cells, gather(series, what));
    if (cells->size() < fewest_plogp_sizes)
        return refused(fmt::format("{}: {} size(s) measured; a curve needs at least {}", what,
                                   cells->size(), fewest_plogp_sizes));
    const double smallest = cells->front().size_bytes;
    const double largest = cells->back().size_bytes;
    if (largest < smallest_plogp_span * std::max(1., smallest))
        return refused(fmt::format("{}: sizes from {} to {} span less than a factor of {}", what,
                                   format_size(smallest), format_size(largest),
                                   smallest_plogp_span));
    if (const auto objection = growth_objection(*cells); !objection.empty())
        return refused(fmt::format("{}: {}", what, objection));
    if (const auto objection = misfit_objection(*cells, from_neighbours(*cells));
        !objection.empty())
        return refused(fmt::format("{}: {}", what, objection));
    return curve_through(*cells, seed);
}

Result<PLogPFit> fit_plogp(const PLogPSamples& samples, std::uint64_t seed) {
    PLogPFit fit;
    auto& plogp = fit.network;
    ALLTOLD_TRY_INTO(plogp.g_s, fit_plogp_curve(samples.gap, "g(m)", seed));
    for (const auto& [series, what, curve] : {std::tuple(&samples.send, "o_s(m)", &PLogP::o_s),
                                              {&samples.receive, "o_r(m)", &PLogP::o_r}}) {
        if (auto fitted = fit_plogp_curve(*series, what, seed))
            plogp.*curve = std::move(*fitted);
        else
            fit.refused.push_back(fitted.error().message);
    }
    ALLTOLD_TRY(half_trips, gather(samples.round_trip, "RTT(m)"));
    if (half_trips->empty())
        return refused("L: no round trips were measured");
    plogp.L_s = latency(half_trips->front(), plogp.g_s, seed);
    return fit;
}

} // namespace alltold
