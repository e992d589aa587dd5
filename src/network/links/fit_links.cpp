// SPDX-License-Identifier: BSD-3-Clause
// Fits each parameter of the links from its probe.
#include "network/links/fit_links.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/fit/rate_fit.hpp"
#include "network/links/buffer_fit.hpp"
#include "network/links/burst_fit.hpp"

namespace alltold {
namespace {

/// A backbone that all hosts together fill leaves them less than this of what their ports carry.
constexpr double filled = 0.95;

double relative_error(const Estimate& estimate) {
    return estimate.value > 0 ? (estimate.high - estimate.low) / 2 / estimate.value : 0;
}

struct Queue {
    BufferFit fit;
    int senders = 0;
    double bytes = 0;
};

Result<Queue> fit_queue(const std::vector<const PointSamples*>& points, const char* what,
                        std::uint64_t seed) {
    // The largest group of hosts; floods of other groups are not comparable.
    int most = 0;
    for (const auto* samples : points)
        most = std::max(most, samples->point.n());
    std::vector<Flood> floods;
    Queue queue;
    for (const auto* samples : points) {
        const Point& point = samples->point;
        if (point.n() != most)
            continue;
        queue.senders = point.clusters.count() == 1 ? point.n() - 1 : point.clusters.size(0);
        auto shares = samples->series().times_s;
        if (shares.size() >= fewest_repetitions)
            floods.push_back({static_cast<double>(point.count) * queue.senders, std::move(shares)});
    }
    if (floods.empty())
        return refused(fmt::format("{}: no floods were measured", what));
    auto fit = fit_buffer(floods, what, seed);
    if (!fit)
        return fit.error();
    queue.fit = *fit;
    queue.bytes = fit->packets.value * flood_packet_bytes;
    return queue;
}

Result<RateFit> fit_port(const Fitting& fitting) {
    double largest_bytes = 0;
    const auto trains = fitting.sampled("train");
    for (const auto* samples : trains)
        largest_bytes = std::max(largest_bytes, static_cast<double>(samples->point.size_bytes));
    std::vector<Series> series;
    for (const auto* samples : trains)
        if (const Point& point = samples->point; point.size_bytes == largest_bytes) {
            auto one = series_of(*samples);
            one.size_bytes = largest_bytes * point.count;
            if (one.times_s.size() >= fewest_repetitions)
                series.push_back(std::move(one));
        }
    if (series.empty())
        return refused("port: no trains of messages were measured");
    return fit_rate(series, "port", fitting.seed);
}

/// The rate of each number of flows: difference in bytes over difference in time of two lengths.
std::vector<CarriedFlows> fit_carried(const Fitting& fitting) {
    std::map<int, std::map<int, double>> median_s; // by flows, by count
    double size_bytes = 0;
    for (const auto* samples : fitting.sampled("flows")) {
        const auto times_s = samples->series().times_s;
        if (times_s.size() < fewest_repetitions)
            continue;
        size_bytes = static_cast<double>(samples->point.size_bytes);
        median_s[samples->point.clusters.size(0)][samples->point.count] = median(times_s);
    }
    std::vector<CarriedFlows> carried;
    for (const auto& [flows, by_count] : median_s) {
        const auto& [fewest, least_s] = *by_count.begin();
        const auto& [most, longest_s] = *by_count.rbegin();
        if (most > fewest && longest_s > least_s)
            carried.push_back(
                {flows, flows * (most - fewest) * size_bytes / (longest_s - least_s)});
    }
    return carried;
}

/// The processor time of one message: a send call's, else the gap between the smallest messages,
/// which no link limits, if two of those fit into the time of one message.
double start_up_s(const Fitting& fitting) {
    if (const auto overhead = fitting.curve("send_overhead", "send overhead"))
        return (*overhead)(1);
    if (!fitting.network.plogp || !fitting.network.local)
        return 0;
    return std::min(fitting.network.plogp->g_s.points().front().time_s,
                    fitting.network.local->latency_s.value / 2);
}

/// From ping-pongs within clusters.
double burst_bytes(const Fitting& fitting, double goodput_bytes_per_s) {
    std::vector<Series> series;
    for (const auto* samples : fitting.sampled("pingpong"))
        if (const Point& point = samples->point; fitting.clusters.cluster_of(point.first_rank) ==
                                                 fitting.clusters.cluster_of(point.second_rank))
            if (auto one = series_of(*samples); one.times_s.size() >= fewest_repetitions)
                series.push_back(std::move(one));
    return fit_burst_bytes(series, goodput_bytes_per_s);
}

/// Notes the backbone's errors in `links`.
std::optional<Link> fit_backbone(Fitting& fitting, LinkNetwork& links) {
    Link backbone;
    double most_carried = 0;
    double port_capacity = 0;
    int most_flows = 0;
    for (const auto& [flows, goodput] : links.carried)
        if (goodput > most_carried) {
            most_carried = goodput;
            most_flows = flows;
            port_capacity = flows * links.port.goodput_bytes_per_s;
        }
    if (const auto queue =
            fit_queue(fitting.sampled("backbone_flood"), "backbone queue", fitting.seed)) {
        backbone.queue_bytes = queue->bytes;
        backbone.goodput_bytes_per_s =
            queue->fit.drained_share.value * queue->senders * links.port.goodput_bytes_per_s;
        links.rate_error = std::max(links.rate_error, relative_error(queue->fit.drained_share));
    } else {
        fitting.refuse("backbone queue", queue.error().message);
        backbone.goodput_bytes_per_s = most_carried;
        if (most_carried > filled * port_capacity)
            fitting.refuse(
                "backbone rate",
                fmt::format("{} concurrent flow(s) carry {}, as much as their ports: the backbone "
                            "carries at least that",
                            most_flows, format_rate(8 * most_carried)));
    }
    if (backbone.goodput_bytes_per_s <= 0) {
        fitting.refuse("backbone", "neither floods nor flows show its rate");
        return {};
    }
    if (fitting.network.inter_cluster && fitting.network.local) {
        backbone.latency_s = std::max(0., fitting.network.inter_cluster->latency_s.value -
                                              fitting.network.local->latency_s.value);
        links.latency_error = relative_error(fitting.network.inter_cluster->latency_s);
    }
    return backbone;
}

} // namespace

void fit_links(Fitting& fitting) {
    if (fitting.sampled("train").empty() && fitting.sampled("flood").empty())
        return;
    const auto port = fit_port(fitting);
    if (!port) {
        fitting.refuse("links", port.error().message);
        return;
    }
    LinkNetwork links;
    links.port.goodput_bytes_per_s = port->goodput_bytes_per_s.value;
    links.rate_error = relative_error(port->goodput_bytes_per_s);
    if (fitting.network.local)
        links.latency_error = relative_error(fitting.network.local->latency_s);
    links.start_up_s = start_up_s(fitting);
    if (fitting.network.local)
        links.port.latency_s =
            std::max(0., fitting.network.local->latency_s.value - 2 * links.start_up_s);
    links.port.burst_bytes = burst_bytes(fitting, links.port.goodput_bytes_per_s);
    if (const auto queue = fit_queue(fitting.sampled("flood"), "switch buffer", fitting.seed))
        links.port.queue_bytes = queue->bytes;
    else
        fitting.refuse("switch buffer", queue.error().message);
    if (fitting.clusters.count() > 1) {
        links.carried = fit_carried(fitting);
        links.backbone = fit_backbone(fitting, links);
        links.initial_window_bytes = ten_segments_bytes;
    }
    fitting.network.links = std::move(links);
}

} // namespace alltold
