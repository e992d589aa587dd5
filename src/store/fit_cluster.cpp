// SPDX-License-Identifier: BSD-3-Clause
// Each of TW99's parameters from its probe.
#include "store/fit_cluster.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "network/hockney_fit.hpp"
#include "network/transfer_fit.hpp"
#include "store/fit_links.hpp"
#include "store/sampled.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_repetitions = 3;

void refuse(Profile& profile, const char* what, std::string reason) {
    profile.refused.push_back({what, std::move(reason)});
}

Result<SizeCurve> fit_trains(std::span<const PointSamples> points, std::string_view probe,
                             std::string_view what, const FitRequest& request) {
    std::vector<Train> trains;
    for (const auto* samples : sampled(points, probe, request)) {
        const Point& point = samples->point;
        const int senders = point.first_rank >= 0 ? 1 : point.n() - 1;
        if (auto series = series_of(*samples); series.times_s.size() >= fewest_repetitions)
            trains.push_back({senders * point.count, std::move(series)});
    }
    return fit_gap(trains, what, request.seed);
}

/// O_r(m), whose samples are 0 where nothing was seen.
Result<SizeCurve> fit_background(std::span<const PointSamples> points, const FitRequest& request) {
    std::vector<Series> series;
    for (const auto* samples : sampled(points, "background", request))
        if (auto one = series_of(*samples); one.times_s.size() >= fewest_repetitions) {
            if (median(one.times_s) <= 0)
                return refused("asynchronous receive: arriving messages do not slow a computation "
                               "by more than its own scatter");
            for (double& time_s : one.times_s)
                time_s = std::max(time_s, 1e-9);
            series.push_back(std::move(one));
        }
    return fit_curve(series, "asynchronous receive", request.seed);
}

Result<Hockney> fit_copy(std::span<const PointSamples> points, std::string_view way,
                         const FitRequest& request) {
    std::vector<Series> series;
    for (const auto* samples : sampled(points, "copy", request))
        if (samples->point.algorithm == way)
            if (auto one = series_of(*samples); one.times_s.size() >= fewest_repetitions)
                series.push_back(std::move(one));
    const auto fit = fit_hockney(series, request.seed);
    if (!fit)
        return fit.error();
    return fit->model();
}

Result<double> fit_fetch(std::span<const PointSamples> points, const FitRequest& request) {
    std::vector<double> medians;
    for (const auto* samples : sampled(points, "fetch", request))
        if (const auto times_s = samples->series().times_s; times_s.size() >= fewest_repetitions)
            medians.push_back(median(times_s));
    if (medians.empty())
        return refused("user receive: not measured");
    // One number for all sizes, as the paper has it.
    return median(medians);
}

/// A part into its place, or the reason why not.
template <typename T>
void place(Profile& profile, const char* what, const Result<T>& fit, T& into) {
    if (fit)
        into = *fit;
    else
        refuse(profile, what, fit.error().message);
}

void fit_pairs(Profile& profile, ClusterModel& cluster, std::span<const PointSamples> points,
               const FitRequest& request) {
    std::vector<Series> pairs;
    for (const auto* samples : sampled(points, "pairs", request))
        if (auto series = samples->series(); series.times_s.size() >= fewest_repetitions)
            pairs.push_back(std::move(series));
    if (const auto fit = fit_transfer(pairs, cluster))
        cluster.L = fit->transfer;
    else
        refuse(profile, "L", fit.error().message);
}

} // namespace

void fit_cluster(Profile& profile, std::span<const PointSamples> points,
                 const FitRequest& request) {
    if (sampled(points, "converge", request).empty())
        return;
    const auto send_gap = fit_trains(points, "train", "send gap", request);
    const auto receive_gap = fit_trains(points, "converge", "receive gap", request);
    for (const auto* gap : {&send_gap, &receive_gap})
        if (!*gap) {
            refuse(profile, "cluster", gap->error().message);
            return;
        }
    ClusterModel cluster;
    cluster.g_s = *send_gap;
    cluster.g_r = *receive_gap;
    place(profile, "O_s", fit_sampled(points, "send_overhead", "send overhead", request),
          cluster.O_s);
    place(profile, "T_s", fit_sampled(points, "send_call", "send call", request), cluster.T_s);
    place(profile, "O_r", fit_background(points, request), cluster.O_r);
    place(profile, "U_r", fit_fetch(points, request), cluster.U_r_s);
    place(profile, "M_ctc", fit_copy(points, "cache_to_cache", request),
          cluster.copy_cache_to_cache);
    place(profile, "M_ctm", fit_copy(points, "cache_to_memory", request),
          cluster.copy_cache_to_memory);
    place(profile, "M_mtm", fit_copy(points, "memory_to_memory", request),
          cluster.copy_memory_to_memory);
    fit_pairs(profile, cluster, points, request);
    if (profile.links && profile.links->port.queue_bytes > 0) {
        cluster.buffer_bytes = profile.links->port.queue_bytes;
        cluster.packet_bytes = flood_packet_bytes;
    }
    profile.cluster = std::move(cluster);
}

} // namespace alltold
