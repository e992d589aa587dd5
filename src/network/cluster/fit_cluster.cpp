// SPDX-License-Identifier: BSD-3-Clause
// Each of TW99's parameters from its probe.
#include "network/fitting.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "network/cluster/transfer_fit.hpp"
#include "network/hockney/hockney_fit.hpp"
#include "network/links/port_fit.hpp"

namespace alltold {
namespace {

Result<SizeCurve> fit_trains(const Fitting& fitting, std::string_view probe,
                             std::string_view what) {
    std::vector<Train> trains;
    for (const auto* samples : fitting.sampled(probe)) {
        const Point& point = samples->point;
        const int senders = point.first_rank >= 0 ? 1 : point.n() - 1;
        if (auto series = series_of(*samples); series.times_s.size() >= fewest_repetitions)
            trains.push_back({senders * point.count, std::move(series)});
    }
    return fit_gap(trains, what, fitting.seed);
}

/// O_r(m), whose samples are 0 if no effect was visible.
Result<SizeCurve> fit_background(const Fitting& fitting) {
    std::vector<Series> series;
    for (const auto* samples : fitting.sampled("background"))
        if (auto one = series_of(*samples); one.times_s.size() >= fewest_repetitions) {
            if (median(one.times_s) <= 0)
                return refused("asynchronous receive: arriving messages do not slow a computation "
                               "by more than its own scatter");
            for (double& time_s : one.times_s)
                time_s = std::max(time_s, 1e-9);
            series.push_back(std::move(one));
        }
    return fit_curve(series, "asynchronous receive", fitting.seed);
}

/// The other two copies of TW99, from cache, say nothing of what a message brings.
Result<Hockney> fit_copy(const Fitting& fitting) {
    std::vector<Series> series;
    for (const auto* samples : fitting.sampled("copy"))
        if (samples->point.algorithm == "memory_to_memory")
            if (auto one = series_of(*samples); one.times_s.size() >= fewest_repetitions)
                series.push_back(std::move(one));
    const auto fit = fit_hockney(series, fitting.seed);
    if (!fit)
        return fit.error();
    return fit->model();
}

Result<double> fit_fetch(const Fitting& fitting) {
    std::vector<double> medians;
    for (const auto* samples : fitting.sampled("fetch"))
        if (const auto times_s = samples->series().times_s; times_s.size() >= fewest_repetitions)
            medians.push_back(median(times_s));
    if (medians.empty())
        return refused("user receive: not measured");
    // One number for all sizes, as in the paper.
    return median(medians);
}

void fit_pairs(Fitting& fitting, ClusterModel& cluster) {
    std::vector<Series> pairs;
    for (const auto* samples : fitting.sampled("pairs"))
        if (auto series = samples->series(); series.times_s.size() >= fewest_repetitions)
            pairs.push_back(std::move(series));
    if (const auto fit = fit_transfer(pairs, cluster))
        cluster.L = fit->transfer;
    else
        fitting.refuse("L", fit.error().message);
}

} // namespace

/// Sets `network.cluster` from the probes of TW99's parameters: g_s and g_r from trains, without
/// which there is no model; the others if the samples allow, else refused by name and set to 0.
/// L(m, p) excludes the other parameters as far as they are known.
void fit_cluster(Fitting& fitting) {
    if (fitting.sampled("converge").empty())
        return;
    const auto send_gap = fit_trains(fitting, "train", "send gap");
    const auto receive_gap = fit_trains(fitting, "converge", "receive gap");
    for (const auto* gap : {&send_gap, &receive_gap})
        if (!*gap) {
            fitting.refuse("cluster", gap->error().message);
            return;
        }
    ClusterModel cluster;
    cluster.g_s = *send_gap;
    cluster.g_r = *receive_gap;
    fitting.place("O_s", fitting.curve("send_overhead", "send overhead"), cluster.O_s);
    fitting.place("T_s", fitting.curve("send_call", "send call"), cluster.T_s);
    fitting.place("O_r", fit_background(fitting), cluster.O_r);
    fitting.place("U_r", fit_fetch(fitting), cluster.U_r_s);
    fitting.place("M_mtm", fit_copy(fitting), cluster.copy_memory_to_memory);
    fit_pairs(fitting, cluster);
    if (fitting.network.links && fitting.network.links->port.queue_bytes > 0) {
        cluster.buffer_bytes = fitting.network.links->port.queue_bytes;
        cluster.packet_bytes = flood_packet_bytes;
        cluster.timeout_s = fitting.network.links->timeout_s;
    }
    fitting.network.cluster = std::move(cluster);
}

} // namespace alltold
