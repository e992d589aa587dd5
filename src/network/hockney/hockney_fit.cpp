// SPDX-License-Identifier: BSD-3-Clause
#include "network/hockney/hockney_fit.hpp"

#include <map>

#include <fmt/format.h>

#include "core/least_squares.hpp"
#include "core/units.hpp"
#include "network/fit/cells.hpp"
#include "network/links/link_network.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_hockney_sizes = 3;
constexpr double smallest_hockney_span = 8;
constexpr int hockney_draws = 600;

/// The error that keeps medians off the line beside the scatter of their repetitions: either in
/// proportion to the time, as memory and caches do it, or the same number of seconds at every size,
/// as start-up effects of a network do it (a first packet that finds the link idle, a change of
/// protocol), though never more than half the time itself.
struct LineError {
    double relative = 0;
    double absolute_s = 0;

    double at_s(double line_s) const {
        return std::hypot(relative * line_s, std::min(absolute_s, 0.5 * line_s));
    }
    double variance(const Cell& cell, double line_s) const {
        return std::pow(line_s * cell.relative_error, 2) + std::pow(at_s(line_s), 2);
    }
};

/// A line through these centres; relative errors scale with the line, not with the measured times,
/// or low outliers would pull harder than high ones. alpha stays >= 0.
Hockney fit_line(std::span<const Cell> cells, std::span<const double> centres,
                 const LineError& error) {
    const auto count = static_cast<Eigen::Index>(cells.size());
    Eigen::MatrixXd design(count, 2);
    Eigen::VectorXd observed(count);
    Eigen::VectorXd scale(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        design.row(i) << 1, cells[at].size_bytes;
        observed(i) = scale(i) = centres[at];
    }
    Hockney line;
    for (int pass = 0; pass < 3; ++pass) {
        Eigen::VectorXd variances(count);
        for (Eigen::Index i = 0; i < count; ++i)
            variances(i) = error.variance(cells[static_cast<std::size_t>(i)], scale(i));
        auto fit = weighted_least_squares(design, observed, variances).coefficients;
        if (fit(0) < 0) {
            const auto slope = weighted_least_squares(design.col(1), observed, variances);
            fit << 0, slope.coefficients(0);
        }
        line = {fit(0), fit(1)};
        if (line.beta_s_per_byte <= 0)
            break;
        for (Eigen::Index i = 0; i < count; ++i)
            scale(i) = std::max(line.time_s(cells[static_cast<std::size_t>(i)].size_bytes),
                                0.1 * observed(i));
    }
    return line;
}

double squared_residuals(std::span<const Cell> cells, const Hockney& line) {
    double sum = 0;
    for (const Cell& cell : cells)
        sum += std::pow(cell.centre_s / line.time_s(cell.size_bytes) - 1, 2);
    return sum;
}

/// A line, the model error that explains its residuals, and how likely it makes them.
struct LineAttempt {
    Hockney line;
    LineError error;
    double log_likelihood = 0;
    double weighted_residuals = 0; ///< squared, over their variances

    LineAttempt(std::span<const Cell> cells, std::span<const double> centres, LineError assumed)
        : line(fit_line(cells, centres, assumed)), error(assumed) {
        for (const Cell& cell : cells) {
            const double line_s = line.time_s(cell.size_bytes);
            const double variance = error.variance(cell, line_s);
            const double residual = cell.centre_s - line_s;
            weighted_residuals += residual * residual / variance;
            log_likelihood -= 0.5 * (std::log(variance) + residual * residual / variance);
        }
    }
};

/// The least model error of one kind with which the residuals are no larger than they should be
/// (Paule and Mandel's estimate): `make` turns a number from 0 to `most` into one.
template <typename Make>
LineAttempt explain_by_line(std::span<const Cell> cells, std::span<const double> centres,
                            double most, Make&& make) {
    const auto freedom = static_cast<double>(cells.size()) - 2;
    LineAttempt attempt(cells, centres, make(0.0));
    if (attempt.weighted_residuals <= freedom)
        return attempt;
    double low = 0, high = most;
    for (int step = 0; step < 40; ++step) {
        const double middle = 0.5 * (low + high);
        attempt = LineAttempt(cells, centres, make(middle));
        (attempt.weighted_residuals > freedom ? low : high) = middle;
    }
    return attempt;
}

/// Whichever kind of model error makes the residuals likelier.
LineAttempt explain_by_line(std::span<const Cell> cells, std::span<const double> centres) {
    const double longest_s = *std::max_element(centres.begin(), centres.end());
    const auto in_proportion = explain_by_line(cells, centres, 3, [](double x) {
        return LineError{x, 0};
    });
    const auto in_seconds = explain_by_line(cells, centres, longest_s, [](double x) {
        return LineError{0, x};
    });
    return in_seconds.log_likelihood > in_proportion.log_likelihood ? in_seconds : in_proportion;
}

/// Lines through what each pair measured alone, at three sizes or more.
std::vector<Hockney> lines_of_pairs(std::span<const Cell> cells, const LineError& error) {
    std::map<int, std::vector<Cell>> by_pair;
    for (const Cell& cell : cells)
        for (std::size_t i = 0; i < cell.groups.size(); ++i) {
            const auto& times_s = cell.times_s[i];
            by_pair[cell.groups[i]].push_back({cell.size_bytes,
                                               {cell.groups[i]},
                                               {times_s},
                                               median(times_s),
                                               cell.relative_error});
        }
    std::vector<Hockney> lines;
    for (const auto& [pair, own] : by_pair) {
        std::vector<double> centres;
        for (const Cell& cell : own)
            centres.push_back(cell.centre_s);
        if (own.size() >= fewest_hockney_sizes)
            lines.push_back(fit_line(own, centres, error));
    }
    return lines;
}

/// Half the 95 % interval of the median over pairs, each of which has one of these values, by
/// Student's t: a few pairs tell little of how far pairs lie apart, and the bootstrap over two of
/// them sees half of it. 0 for one pair, which tells nothing.
double half_width_over_pairs(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    if (count < 2)
        return 0;
    double mean = 0, squares = 0;
    for (const double value : values)
        mean += value / count;
    for (const double value : values)
        squares += std::pow(value - mean, 2);
    // The median of more than two normal values scatters by up to this much more than their mean.
    const double of_median = count > 2 ? std::sqrt(std::numbers::pi / 2) : 1;
    return student_quantile(0.975, static_cast<int>(count) - 1) * of_median *
           std::sqrt(squares / (count - 1) / count);
}

/// The interval at least that wide to both sides. Returns how much wider it has become.
double widen(Estimate& estimate, double half_width) {
    const double before = (estimate.high - estimate.low) / 2;
    estimate.low = std::min(estimate.low, std::max(0.0, estimate.value - half_width));
    estimate.high = std::max(estimate.high, estimate.value + half_width);
    return before > 0 ? std::max(1.0, half_width / before) : 1;
}

/// Makes the intervals hold what pairs differ by.
void widen_over_pairs(HockneyFit& fit, std::span<const Cell> cells, const LineError& error) {
    std::vector<double> alphas, betas, latencies;
    for (const Hockney& line : lines_of_pairs(cells, error)) {
        alphas.push_back(line.alpha_s);
        betas.push_back(line.beta_s_per_byte);
    }
    for (const auto& times_s : cells.front().times_s)
        latencies.push_back(median(times_s));
    widen(fit.latency_s, half_width_over_pairs(latencies));
    const double alpha_wider = widen(fit.alpha_s, half_width_over_pairs(alphas));
    const double beta_wider = widen(fit.beta_s_per_byte, half_width_over_pairs(betas));
    fit.covariance[0] *= alpha_wider * alpha_wider;
    fit.covariance[1] *= alpha_wider * beta_wider;
    fit.covariance[2] *= beta_wider * beta_wider;
}

/// A message of one packet takes hardly more than the latency. Of a longer one its bytes count.
double latency_of(const Cell& smallest, double time_s, double beta) {
    return smallest.size_bytes <= ethernet_segment_bytes
               ? time_s
               : std::max(0., time_s - beta * smallest.size_bytes);
}

/// Intervals and covariance from refits of redrawn medians, each moved by the model's own error.
void add_intervals(HockneyFit& fit, std::span<const Cell> cells, const LineError& error,
                   std::uint64_t seed) {
    Random random(seed);
    std::vector<double> alphas;
    std::vector<double> betas;
    std::vector<double> latencies;
    for (int draw = 0; draw < hockney_draws; ++draw) {
        auto centres = redraw(cells, random);
        const double least_s = centres.front();
        for (double& centre : centres)
            centre = std::max(0.1 * centre, centre + error.at_s(centre) * random.normal());
        const Hockney line = fit_line(cells, centres, error);
        latencies.push_back(latency_of(cells.front(), least_s, line.beta_s_per_byte));
        alphas.push_back(line.alpha_s);
        betas.push_back(line.beta_s_per_byte);
        const double a = line.alpha_s - fit.alpha_s.value;
        const double b = line.beta_s_per_byte - fit.beta_s_per_byte.value;
        fit.covariance[0] += a * a / hockney_draws;
        fit.covariance[1] += a * b / hockney_draws;
        fit.covariance[2] += b * b / hockney_draws;
    }
    fit.alpha_s = estimate_from(fit.alpha_s.value, alphas);
    fit.beta_s_per_byte = estimate_from(fit.beta_s_per_byte.value, betas);
    fit.latency_s = estimate_from(fit.latency_s.value, latencies);
    widen_over_pairs(fit, cells, error);
}

double alpha_beside(std::span<const Cell> cells, std::span<const double> centres, double beta) {
    double weights = 0, sum = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const double weight = 1 / (centres[i] * centres[i]);
        weights += weight;
        sum += weight * (centres[i] - beta * cells[i].size_bytes);
    }
    return std::max(0., sum / weights);
}

} // namespace

Result<HockneyFit> fit_alpha(std::span<const Series> one_way, const Estimate& beta_s_per_byte,
                             std::uint64_t seed) {
    ALLTOLD_TRY(gathered, gather(one_way, "ping-pong"));
    const auto& cells = *gathered;
    if (cells.empty())
        return refused("ping-pong: nothing measured");
    std::vector<double> centres;
    for (const Cell& cell : cells)
        centres.push_back(cell.centre_s);
    const Hockney line{alpha_beside(cells, centres, beta_s_per_byte.value), beta_s_per_byte.value};
    HockneyFit fit;
    fit.beta_s_per_byte = beta_s_per_byte;
    fit.smallest_bytes = cells.front().size_bytes;
    fit.largest_bytes = cells.back().size_bytes;
    fit.residual_relative =
        std::sqrt(squared_residuals(cells, line) / static_cast<double>(cells.size()));
    Random random(seed);
    std::vector<double> alphas, latencies;
    for (int draw = 0; draw < hockney_draws; ++draw) {
        const auto again = redraw(cells, random);
        const double deviate = random.normal() / 1.96;
        const double beta = line.beta_s_per_byte +
                            deviate * (deviate < 0 ? line.beta_s_per_byte - beta_s_per_byte.low
                                                   : beta_s_per_byte.high - line.beta_s_per_byte);
        latencies.push_back(latency_of(cells.front(), again.front(), beta));
        alphas.push_back(alpha_beside(cells, again, beta));
        const double a = alphas.back() - line.alpha_s, b = beta - line.beta_s_per_byte;
        fit.covariance[0] += a * a / hockney_draws;
        fit.covariance[1] += a * b / hockney_draws;
        fit.covariance[2] += b * b / hockney_draws;
    }
    fit.alpha_s = estimate_from(line.alpha_s, alphas);
    fit.latency_s =
        estimate_from(latency_of(cells.front(), centres.front(), line.beta_s_per_byte), latencies);
    return fit;
}

Result<HockneyFit> fit_hockney(std::span<const Series> one_way, std::uint64_t seed) {
    ALLTOLD_TRY(gathered, gather(one_way, "ping-pong"));
    const auto& cells = *gathered;
    if (cells.empty())
        return refused("ping-pong: none was measured");
    if (cells.size() < fewest_hockney_sizes)
        return refused(fmt::format("ping-pong: {} size(s) measured; a line needs at least {}",
                                   cells.size(), fewest_hockney_sizes));
    const double smallest = cells.front().size_bytes;
    const double largest = cells.back().size_bytes;
    if (largest < smallest_hockney_span * std::max(1.0, smallest))
        return refused(fmt::format("ping-pong: sizes from {} to {} span less than a factor of {}",
                                   format_size(smallest), format_size(largest),
                                   smallest_hockney_span));
    if (const auto objection = growth_objection(cells); !objection.empty())
        return refused("ping-pong: " + objection);

    std::vector<double> centres;
    for (const Cell& cell : cells)
        centres.push_back(cell.centre_s);
    const LineAttempt best = explain_by_line(cells, centres);
    const Hockney line = best.line;
    if (line.beta_s_per_byte <= 0)
        return refused("ping-pong: times decrease with size");
    std::vector<double> fitted;
    for (const Cell& cell : cells)
        fitted.push_back(line.time_s(cell.size_bytes));
    if (const auto objection = misfit_objection(cells, fitted); !objection.empty())
        return refused("ping-pong: " + objection);

    HockneyFit fit;
    fit.alpha_s = Estimate::exact(line.alpha_s);
    fit.beta_s_per_byte = Estimate::exact(line.beta_s_per_byte);
    fit.latency_s =
        Estimate::exact(latency_of(cells.front(), cells.front().centre_s, line.beta_s_per_byte));
    fit.residual_relative =
        std::sqrt(squared_residuals(cells, line) / static_cast<double>(cells.size()));
    fit.smallest_bytes = smallest;
    fit.largest_bytes = largest;
    add_intervals(fit, cells, best.error, seed);
    return fit;
}

} // namespace alltold
