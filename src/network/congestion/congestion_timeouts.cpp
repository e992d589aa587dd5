// SPDX-License-Identifier: BSD-3-Clause
// Expectation and maximisation over single times.
#include "network/congestion/congestion_core.hpp"

#include <iterator>

namespace alltold {
namespace {

constexpr double least_spread = 0.005;
/// Share of times that nothing here explains, spread evenly over what was measured.
constexpr double unexplained = 0.01;
constexpr int rounds = 6;
constexpr double fewest_seen = 3;

/// One point while its repetitions are being sorted.
struct Sorted {
    const CongestedSeries* series = nullptr;
    bool slow = false;
    double messages = 0; ///< that may meet a time-out in one call
    double centre_s = 0;
    std::vector<double> timeout_probability; ///< of each repetition
};

CongestedTime time_of(const CongestionFit& fit, const Sorted& point) {
    const auto& rate = fit.timeouts[point.slow];
    CongestedTime time;
    time.core_s = point.centre_s;
    time.spread = fit.spread[point.slow];
    time.timeout_s = fit.timeout_s.value;
    time.timeouts = point.messages * rate.per_message();
    time.shape = 1e6; // as good as Poisson: the rate is not in doubt while it is being fitted
    return time;
}

void expect(const CongestionFit& fit, std::vector<Sorted>& points) {
    for (auto& point : points) {
        const auto time = time_of(fit, point);
        point.timeout_probability.clear();
        for (const double time_s : point.series->times_s)
            point.timeout_probability.push_back(
                point.messages > 0 ? time.probability_of_timeout(time_s) : 0);
    }
}

std::vector<double> undisturbed(const Sorted& point) {
    std::vector<double> times_s;
    for (std::size_t i = 0; i < point.timeout_probability.size(); ++i)
        if (point.timeout_probability[i] < 0.5)
            times_s.push_back(point.series->times_s[i]);
    return times_s;
}

/// Centres, spreads and rates from what is expected.
void maximise(CongestionFit& fit, std::vector<Sorted>& points) {
    std::array<std::vector<double>, 2> logs;
    std::array<TimeoutRate, 2> rates;
    for (auto& point : points) {
        const auto times_s = undisturbed(point);
        if (!times_s.empty())
            point.centre_s = median(times_s);
        for (const double time_s : times_s)
            logs[point.slow].push_back(std::log(time_s / point.centre_s));
        // A call longer than a time-out hides the early ones.
        const double shown = std::min(1.0, fit.timeout_s.value / point.centre_s);
        for (const double probability : point.timeout_probability) {
            rates[point.slow].seen += probability;
            rates[point.slow].exposed += shown * point.messages;
        }
    }
    for (int slow = 0; slow < 2; ++slow) {
        fit.timeouts[slow] = rates[slow];
        // The middle nine tenths, so that a few strays do not set it.
        if (logs[slow].size() > 1)
            fit.spread[slow] = std::max(
                least_spread, (quantile(logs[slow], 0.95) - quantile(logs[slow], 0.05)) / 3.29);
    }
}

double log_likelihood(const CongestionFit& fit, const std::vector<Sorted>& points) {
    double longest_s = 0;
    for (const auto& point : points)
        for (const double time_s : point.series->times_s)
            longest_s = std::max(longest_s, time_s);
    double sum = 0;
    for (const auto& point : points) {
        const auto time = time_of(fit, point);
        for (const double time_s : point.series->times_s)
            sum += std::log((1 - unexplained) * time.density(time_s) + unexplained / longest_s);
    }
    return sum;
}

/// Standard error of the length that comes from the points' centres, which the likelihood takes for
/// known. Each is a median of the repetitions no time-out ended, the time-outs of a point share it,
/// and the length goes by the points as they have time-outs that are seen sharply.
double error_of_centres_s(const CongestionFit& fit, const std::vector<Sorted>& points) {
    constexpr double median_error = 1.2533; // of normal values, in theirs over the root of how many
    double weights = 0, variance = 0;
    for (const auto& point : points) {
        const double sd_s = fit.spread[point.slow] * point.centre_s;
        double seen = 0;
        for (const double probability : point.timeout_probability)
            seen += probability;
        const double weight = seen / (sd_s * sd_s);
        const auto left = static_cast<double>(std::max<std::size_t>(1, undisturbed(point).size()));
        weights += weight;
        variance += weight * weight * median_error * median_error * sd_s * sd_s / left;
    }
    return weights > 0 ? std::sqrt(variance) / weights : 0;
}

/// The most likely length, and those that are not clearly less likely.
void fit_length(CongestionFit& fit, std::vector<Sorted>& points, double least_timeout_s) {
    constexpr double clearly = 1.92; // half of chi squared's 95 % point with one degree of freedom
    constexpr double normal_95 = 1.96;
    constexpr int steps = 40;
    std::vector<std::pair<double, double>> tried; // length, likelihood
    for (int i = 0; i <= steps; ++i) {
        fit.timeout_s = Estimate::exact(least_timeout_s * (1 + double(i) / steps));
        tried.emplace_back(fit.timeout_s.value, log_likelihood(fit, points));
    }
    const auto best =
        std::ranges::max_element(tried, {}, [](const auto& one) { return one.second; });
    const double least = best->second - clearly;
    /// Where the likelihood falls below that, a straight line between two lengths that were tried.
    const auto end = [&](auto at, auto last) {
        for (auto next = at; at != last; at = next) {
            ++next;
            if (next->second <= least)
                return at->first + (next->first - at->first) * (at->second - least) /
                                       (at->second - next->second);
        }
        return last->first;
    };
    const double low_s = best->first - end(std::make_reverse_iterator(best + 1), tried.rend() - 1);
    const double high_s = end(best, tried.end() - 1) - best->first;
    const double of_centres_s = normal_95 * error_of_centres_s(fit, points);
    fit.timeout_s = {best->first, best->first - std::hypot(low_s, of_centres_s),
                     best->first + std::hypot(high_s, of_centres_s)};
}

std::vector<Sorted> sort(const CongestionFit& fit, std::span<const CongestedSeries> measured) {
    std::vector<Sorted> points;
    for (const auto& series : measured) {
        const auto& call = series.call;
        Sorted point;
        point.series = &series;
        point.slow = fit.slow(call.size_bytes);
        if (!fit.never_overflows(call))
            point.messages = call.n * (call.n - 1);
        // Low enough that time-outs do not hide among the rest where they are many.
        point.centre_s = quantile(series.times_s, 0.25);
        point.timeout_probability.assign(series.times_s.size(), 0);
        points.push_back(std::move(point));
    }
    return points;
}

} // namespace

std::vector<CorePoint> fit_timeouts(CongestionFit& fit, std::span<const CongestedSeries> measured,
                                    double least_timeout_s) {
    auto points = sort(fit, measured);
    fit.timeout_s = {1.1 * least_timeout_s, least_timeout_s, 2 * least_timeout_s};
    for (int slow = 0; slow < 2; ++slow) {
        fit.spread[slow] = 0.1;
        fit.timeouts[slow] = {1, 1000};
    }
    for (int round = 0; round < rounds; ++round) {
        expect(fit, points);
        maximise(fit, points);
        if (round >= 2 && fit.timeouts[0].seen + fit.timeouts[1].seen >= fewest_seen)
            fit_length(fit, points, least_timeout_s);
    }
    std::vector<CorePoint> cores;
    for (const auto& point : points)
        cores.push_back({point.series->call, point.centre_s});
    return cores;
}

} // namespace alltold
