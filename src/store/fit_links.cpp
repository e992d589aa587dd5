// SPDX-License-Identifier: BSD-3-Clause
// Each part of the links from the probe that shows it.
#include "store/fit_links.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/buffer_fit.hpp"
#include "network/burst_fit.hpp"
#include "network/rate_fit.hpp"
#include "store/sampled.hpp"

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
    // The largest group of hosts that was asked; floods of others do not compare.
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
        if (shares.size() >= 3)
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

Result<RateFit> fit_port(std::span<const PointSamples> points, const FitRequest& request) {
    double largest_bytes = 0;
    const auto trains = sampled(points, "train", request);
    for (const auto* samples : trains)
        largest_bytes = std::max(largest_bytes, static_cast<double>(samples->point.size_bytes));
    std::vector<Series> series;
    for (const auto* samples : trains)
        if (const Point& point = samples->point; point.size_bytes == largest_bytes) {
            auto one = series_of(*samples);
            one.size_bytes = largest_bytes * point.count;
            if (one.times_s.size() >= 3)
                series.push_back(std::move(one));
        }
    if (series.empty())
        return refused("port: no trains of messages were measured");
    return fit_rate(series, "port", request.seed);
}

/// What each number of flows carried: bytes more over time more, of two lengths.
std::vector<CarriedFlows> fit_carried(std::span<const PointSamples> points,
                                      const FitRequest& request) {
    std::map<int, std::map<int, double>> median_s; // by flows, by count
    double size_bytes = 0;
    for (const auto* samples : sampled(points, "flows", request)) {
        const auto times_s = samples->series().times_s;
        if (times_s.size() < 3)
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

/// The processor's part of one message: a send call's, else the gap between the smallest messages,
/// which no link limits, if two of those fit into the time of one message.
double start_up_s(const Profile& profile, std::span<const PointSamples> points,
                  const FitRequest& request) {
    if (const auto overhead = fit_sampled(points, "send_overhead", "send overhead", request))
        return (*overhead)(1);
    if (!profile.plogp || !profile.local)
        return 0;
    return std::min(profile.plogp->g_s.points().front().time_s, profile.local->latency_s.value / 2);
}

/// From ping-pongs within clusters.
double burst_bytes(const Profile& profile, std::span<const PointSamples> points,
                   const FitRequest& request, double goodput_bytes_per_s) {
    std::vector<Series> series;
    for (const auto* samples : sampled(points, "pingpong", request))
        if (const Point& point = samples->point;
            profile.provenance.clusters.cluster_of(point.first_rank) ==
            profile.provenance.clusters.cluster_of(point.second_rank))
            if (auto one = series_of(*samples); one.times_s.size() >= 3)
                series.push_back(std::move(one));
    return fit_burst_bytes(series, goodput_bytes_per_s);
}

void refuse(Profile& profile, const char* what, std::string reason) {
    profile.refused.push_back({what, std::move(reason)});
}

/// Notes the backbone's errors in `links`.
std::optional<Link> fit_backbone(Profile& profile, LinkNetwork& links,
                                 std::span<const PointSamples> points, const FitRequest& request) {
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
            fit_queue(sampled(points, "backbone_flood", request), "backbone queue", request.seed)) {
        backbone.queue_bytes = queue->bytes;
        backbone.goodput_bytes_per_s =
            queue->fit.drained_share.value * queue->senders * links.port.goodput_bytes_per_s;
        links.rate_error = std::max(links.rate_error, relative_error(queue->fit.drained_share));
    } else {
        refuse(profile, "backbone queue", queue.error().message);
        backbone.goodput_bytes_per_s = most_carried;
        if (most_carried > filled * port_capacity)
            refuse(
                profile, "backbone rate",
                fmt::format("{} concurrent flow(s) carry {}, as much as their ports: the backbone "
                            "carries at least that",
                            most_flows, format_rate(8 * most_carried)));
    }
    if (backbone.goodput_bytes_per_s <= 0) {
        refuse(profile, "backbone", "neither floods nor flows show its rate");
        return {};
    }
    if (profile.wide && profile.local) {
        backbone.latency_s =
            std::max(0., profile.wide->latency_s.value - profile.local->latency_s.value);
        links.latency_error = relative_error(profile.wide->latency_s);
    }
    return backbone;
}

} // namespace

void fit_links(Profile& profile, std::span<const PointSamples> points, const FitRequest& request) {
    if (sampled(points, "train", request).empty() && sampled(points, "flood", request).empty())
        return;
    const auto port = fit_port(points, request);
    if (!port) {
        refuse(profile, "links", port.error().message);
        return;
    }
    LinkNetwork links;
    links.port.goodput_bytes_per_s = port->goodput_bytes_per_s.value;
    links.rate_error = relative_error(port->goodput_bytes_per_s);
    if (profile.local)
        links.latency_error = relative_error(profile.local->latency_s);
    links.start_up_s = start_up_s(profile, points, request);
    if (profile.local)
        links.port.latency_s = std::max(0., profile.local->latency_s.value - 2 * links.start_up_s);
    links.port.burst_bytes = burst_bytes(profile, points, request, links.port.goodput_bytes_per_s);
    if (const auto queue =
            fit_queue(sampled(points, "flood", request), "switch buffer", request.seed))
        links.port.queue_bytes = queue->bytes;
    else
        refuse(profile, "switch buffer", queue.error().message);
    if (profile.provenance.clusters.count() > 1) {
        links.carried = fit_carried(points, request);
        links.backbone = fit_backbone(profile, links, points, request);
        links.initial_window_bytes = ten_segments_bytes;
    }
    profile.links = std::move(links);
}

} // namespace alltold
