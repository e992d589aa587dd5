// SPDX-License-Identifier: BSD-3-Clause
// Trains, floods and ping-pongs side by side.
#include "network/links/port_fit.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/fit/cells.hpp"

namespace alltold {
namespace {

/// Ping-pongs from here on grow as the port carries them.
constexpr double large_bytes = 16 << 10;
/// Fewer floods than three may be wrong by this factor.
constexpr double few_floods = 1.05;

std::string rate_text(double bytes_per_s) {
    return format_rate(8 * bytes_per_s);
}

/// "cluster 1", "clusters 0 and 2" of a point named by its ranks.
std::string name_of(const Point& point, const Clusters& clusters) {
    const int first = clusters.cluster_of(std::max(point.first_rank, 0));
    return point.second_rank < 0
               ? fmt::format("cluster {}", first)
               : fmt::format("clusters {} and {}", first, clusters.cluster_of(point.second_rank));
}

/// The estimates of a derived probe of floods, those of 0 in most repetitions left out.
template <typename Of>
std::vector<OfClusters> of_floods(const Fitting& fitting, const char* probe, int clusters,
                                  Of&& of) {
    std::vector<OfClusters> all;
    for (const auto* samples : fitting.sampled(probe)) {
        if (samples->point.clusters.count() != clusters)
            continue;
        const auto values = samples->values();
        if (values.empty() || median(values) <= 0)
            continue;
        std::vector<double> read;
        for (const double value : values)
            if (value > 0)
                read.push_back(of(value));
        auto estimate = estimate_of(read);
        if (read.size() <
            fewest_repetitions) // one flood has hundreds of packets, but may be disturbed
            estimate = {estimate.value, estimate.low / few_floods, estimate.high * few_floods};
        const Point& point = samples->point;
        const auto cluster = [&](int rank) { return fitting.clusters.cluster_of(rank); };
        all.push_back(
            {name_of(point, fitting.clusters), estimate, cluster(std::max(point.first_rank, 0)),
             point.second_rank < 0 ? -1 : cluster(point.second_rank), point.clusters.size(0)});
    }
    return all;
}

/// The trains of the largest size of which enough lengths were measured, within clusters or not. If
/// there is none, those of large messages of several sizes, as osu_bw sends them.
Result<RateFit> fit_trains(const Fitting& fitting, bool local) {
    std::map<std::uint64_t, std::vector<Series>, std::greater<>> by_size;
    std::vector<Series> of_large;
    for (const auto* samples : fitting.sampled("train")) {
        const Point& point = samples->point;
        if ((fitting.clusters.cluster_of(point.first_rank) ==
             fitting.clusters.cluster_of(point.second_rank)) != local)
            continue;
        auto one = series_of(*samples);
        one.size_bytes *= point.count;
        if (!one.fitted())
            continue;
        if (static_cast<double>(point.size_bytes) >= large_bytes)
            of_large.push_back(one);
        by_size[point.size_bytes].push_back(std::move(one));
    }
    Result<RateFit> refusal = refused("port: no trains of messages were measured");
    bool first = true;
    for (const auto& [size_bytes, series] : by_size) {
        auto fit = fit_rate(series, "port", fitting.seed);
        if (fit)
            return fit;
        if (std::exchange(first, false))
            refusal = std::move(fit);
    }
    const auto of_sizes = fit_rate(of_large, "port", fitting.seed);
    return of_sizes ? of_sizes : refusal;
}

/// The goodput by which ping-pongs within clusters grow; empty if no two sizes tell.
std::optional<Estimate> pingpong_rate(const Fitting& fitting) {
    std::map<double, std::vector<double>> times_s;
    for (const auto* samples : fitting.sampled("pingpong")) {
        const Point& point = samples->point;
        const auto series = samples->series();
        if (fitting.clusters.cluster_of(point.first_rank) ==
                fitting.clusters.cluster_of(point.second_rank) &&
            series.size_bytes >= large_bytes && series.fitted())
            times_s[series.size_bytes].insert(times_s[series.size_bytes].end(),
                                              series.times_s.begin(), series.times_s.end());
    }
    if (times_s.size() < 2)
        return {};
    const auto& [few_bytes, short_s] = *times_s.begin();
    const auto& [many_bytes, long_s] = *times_s.rbegin();
    const double growth_s = median(long_s) - median(short_s);
    if (growth_s <= 0)
        return {};
    const double error = std::max(
        least_rate_error, 2 * std::hypot(median_error(long_s), median_error(short_s)) / growth_s);
    const double rate = (many_bytes - few_bytes) / growth_s;
    return Estimate{rate, rate / (1 + error), rate * (1 + error)};
}

/// The most that two hosts in different clusters were seen to exchange.
std::optional<Estimate> across_clusters(const Fitting& fitting) {
    std::optional<Estimate> most;
    const auto take = [&](const Estimate& rate) {
        if (!most || rate.value > most->value)
            most = rate;
    };
    if (const auto trains = fit_trains(fitting, false))
        take(trains->goodput_bytes_per_s);
    for (const auto& flood : flooded_rates(fitting, 2))
        take(flood.estimate);
    return most;
}

/// The ranks of the busiest host that send to another one in "pairs" or "exchange".
int senders_of_a_host(const Point& point) {
    const auto& ranks = point.clusters;
    const int n = ranks.ranks(), senders = point.probe == "pairs" ? n / 2 : n;
    std::vector<int> of_host(static_cast<std::size_t>(ranks.hosts()));
    for (int rank = 0; rank < senders; ++rank)
        if (ranks.host_of(rank) != ranks.host_of((rank + n - senders + (senders == n)) % n))
            ++of_host[static_cast<std::size_t>(ranks.host_of(rank))];
    return std::ranges::max(of_host);
}

/// The most that several pairs of ranks at once, or both directions, made a port carry one way.
std::optional<Estimate> together(const Fitting& fitting) {
    std::optional<Estimate> most;
    for (const char* probe : {"pairs", "exchange"})
        for (const auto* samples : fitting.sampled(probe)) {
            const auto series = samples->series();
            if (samples->point.clusters.count() > 1 || !series.fitted() ||
                series.size_bytes < large_bytes)
                continue;
            const double rate = senders_of_a_host(samples->point) * samples->point.count *
                                series.size_bytes / median(series.times_s);
            const double error = series.times_s.size() < fewest_repetitions
                                     ? usual_scatter
                                     : 2 * median_error(series.times_s);
            if (!most || rate > most->value)
                most = Estimate{rate, rate / (1 + error), rate * (1 + error)};
        }
    return most;
}

Estimate reach(Estimate estimate, double other) {
    return {estimate.value, std::min(estimate.low, other), std::max(estimate.high, other)};
}

Estimate at_least_uncertain(Estimate estimate) {
    return {estimate.value, std::min(estimate.low, estimate.value / (1 + least_rate_error)),
            std::max(estimate.high, estimate.value * (1 + least_rate_error))};
}

} // namespace

bool apart(const Estimate& a, const Estimate& b) {
    return a.high < b.low || b.high < a.low;
}

bool any_apart(std::span<const OfClusters> all, double relative_error, double error) {
    double highest_low = -INFINITY, lowest_high = INFINITY;
    for (const auto& one : all) {
        const auto& [value, low, high] = one.estimate;
        highest_low = std::max(highest_low, std::min(low, value / (1 + relative_error) - error));
        lowest_high = std::min(lowest_high, std::max(high, value * (1 + relative_error) + error));
    }
    return lowest_high < highest_low;
}

double relative_error(const Estimate& estimate) {
    return estimate.value > 0 ? (estimate.high - estimate.low) / 2 / estimate.value : 0;
}

Estimate pooled(std::span<const OfClusters> all) {
    Estimate one{0, INFINITY, 0};
    std::vector<double> values;
    for (const auto& of_one : all) {
        const auto& estimate = of_one.estimate;
        one.low = std::min(one.low, estimate.low);
        one.high = std::max(one.high, estimate.high);
        values.push_back(estimate.value);
    }
    one.value = median(values);
    return one;
}

Estimate one_for_all(std::span<const OfClusters> all, bool smallest, std::string& differ) {
    const auto by_value = [](const OfClusters& one) { return one.estimate.value; };
    const auto& least = *std::ranges::min_element(all, {}, by_value);
    const auto& most = *std::ranges::max_element(all, {}, by_value);
    auto one = pooled(all);
    if (apart(least.estimate, most.estimate)) {
        differ = fmt::format("{} and {} differ", least.clusters, most.clusters);
        one.value = (smallest ? least : most).estimate.value;
    }
    return one;
}

std::vector<OfClusters> flooded_queues(const Fitting& fitting, int clusters) {
    return of_floods(fitting, "flood_queue", clusters,
                     [](double packets) { return packets * flood_packet_bytes; });
}

bool any_flood(const Fitting& fitting, int clusters) {
    return std::ranges::any_of(fitting.sampled("flood_gap"), [&](const PointSamples* samples) {
        return samples->point.clusters.count() == clusters;
    });
}

double fit_mss_bytes(const Fitting& fitting) {
    std::vector<double> sizes_bytes;
    for (const auto* samples : fitting.sampled("packet"))
        for (const double size_bytes : samples->values())
            if (size_bytes > 0)
                sizes_bytes.push_back(size_bytes);
    return sizes_bytes.empty() ? ethernet_segment_bytes : median(sizes_bytes);
}

std::vector<OfClusters> flooded_rates(const Fitting& fitting, int clusters) {
    const double mss = fit_mss_bytes(fitting);
    const double useful_bytes =
        mss * flood_packet_bytes / (mss + tcp_headers_bytes); // of a flood's packet
    return of_floods(fitting, "flood_gap", clusters,
                     [useful_bytes](double gap_s) { return useful_bytes / gap_s; });
}

/// One rate for all that was measured.
static Result<PortFit> fit_one_port(const Fitting& fitting) {
    PortFit fit;
    const auto trains = fit_trains(fitting, true);
    const auto floods = flooded_rates(fitting, 1);
    const auto many = together(fitting);
    std::string differ;
    if (!floods.empty()) {
        fit.goodput_bytes_per_s = at_least_uncertain(one_for_all(floods, true, differ));
        if (!differ.empty())
            fit.caveats.push_back(fmt::format("ports of {}; the slowest of {} is taken for all",
                                              differ, rate_text(fit.goodput_bytes_per_s.value)));
    }
    auto& port = fit.goodput_bytes_per_s;
    if (trains && floods.empty()) {
        port = at_least_uncertain(trains->goodput_bytes_per_s);
    } else if (trains) {
        auto better = at_least_uncertain(trains->goodput_bytes_per_s), other = port;
        if (!differ.empty() || other.relative_half_width() < better.relative_half_width())
            std::swap(better, other);
        port = better;
        if (apart(better, other)) {
            fit.caveats.push_back(fmt::format("trains and floods differ: {} and {}",
                                              rate_text(trains->goodput_bytes_per_s.value),
                                              rate_text(floods.front().estimate.value)));
            port = reach(better, other.value);
        }
    } else if (floods.empty() && many) {
        port = at_least_uncertain(*many);
    } else if (floods.empty()) {
        const auto across = across_clusters(fitting);
        if (!across)
            return trains.error();
        port = at_least_uncertain(*across);
        // Packets that a sender's own link holds back are not lost.
        fit.at_least = flooded_rates(fitting, 2).empty() || !flooded_queues(fitting, 2).empty();
        fit.caveats.push_back(fmt::format("nothing was measured within a cluster: the rate is that "
                                          "of two hosts in different clusters, {}",
                                          fit.at_least ? "and ports carry at least that"
                                                       : "whose floods lost nothing on the way"));
    }
    const auto grown = pingpong_rate(fitting);
    const bool one_pair = trains || !floods.empty();
    if (const auto& alone = one_pair ? std::optional(port) : grown;
        many && alone && many->low > alone->high) {
        fit.caveats.push_back(fmt::format("a port carries {} of several pairs or both ways at "
                                          "once, and {} of one pair",
                                          rate_text(many->value), rate_text(alone->value)));
        fit.of_pair = alone;
        port = at_least_uncertain(*many);
    } else if (grown && apart(*grown, port)) {
        fit.caveats.push_back(fmt::format("ping-pongs from {} on grow as at {}, not {}",
                                          format_size(large_bytes), rate_text(grown->value),
                                          rate_text(port.value)));
        port = reach(port, grown->value);
    }
    return fit;
}

Result<PortFit> fit_port(const Fitting& fitting) {
    std::vector<std::pair<OfClusters, PortFit>> own;
    std::vector<OfClusters> rates;
    for (int c = 0; fitting.clusters.count() > 1 && c < fitting.clusters.count(); ++c)
        if (auto fit = fit_one_port(fitting.within(c))) {
            rates.push_back({fmt::format("cluster {}", c), fit->goodput_bytes_per_s, c});
            own.emplace_back(rates.back(), std::move(*fit));
        }
    if (!rates_apart(rates))
        return fit_one_port(fitting);
    auto slowest = *std::ranges::min_element(
        own, {}, [](const auto& one) { return one.first.estimate.value; });
    std::string texts;
    for (const auto& rate : rates)
        texts += fmt::format("{}{} of {}", texts.empty() ? "" : ", ",
                             rate_text(rate.estimate.value), rate.clusters);
    slowest.second.caveats.push_back(fmt::format(
        "ports differ: {}; links have each cluster's, models of one rate the lowest", texts));
    slowest.second.cluster = slowest.first.first;
    return slowest.second;
}

} // namespace alltold
