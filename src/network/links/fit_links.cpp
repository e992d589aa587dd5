// SPDX-License-Identifier: BSD-3-Clause
// Fits each parameter of the links from its probe.
#include "network/links/fit_links.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "core/median.hpp"
#include "network/links/burst_fit.hpp"
#include "network/links/memory_fit.hpp"
#include "network/links/path_fit.hpp"
#include "network/links/port_fit.hpp"

namespace alltold {
namespace {

/// The processor time of one message: a send call's, else pLogP's o_s or gap of the smallest
/// message if that is shorter (a slow link limits the gap), if two of those fit into the time of
/// one message.
double start_up_s(const Fitting& fitting) {
    if (const auto overhead = fitting.curve("send_overhead", "send overhead"))
        return (*overhead)(1);
    if (!fitting.network.plogp || !fitting.network.local)
        return 0;
    double least_s = fitting.network.plogp->g_s.points().front().time_s.value;
    if (const auto& sends = fitting.network.plogp->o_s.points(); !sends.empty())
        least_s = std::min(least_s, sends.front().time_s.value);
    return std::min(least_s, fitting.network.local->latency_s.value / 2);
}

/// Messages of one packet take this much longer per byte than the rate allows where switches store
/// and forward them: ping-pongs within a cluster pass one switch, others two.
double store_and_forward(const Fitting& fitting, const LinkNetwork& links) {
    constexpr double most = 4;
    for (const bool local : {true, false}) {
        std::map<std::uint64_t, std::vector<double>> times_s;
        for (const auto* samples : fitting.sampled("pingpong"))
            if (const Point& point = samples->point;
                static_cast<double>(point.size_bytes) <= links.full_segment_bytes() &&
                (fitting.clusters.cluster_of(point.first_rank) ==
                 fitting.clusters.cluster_of(point.second_rank)) == local)
                for (const double time_s : samples->series().times_s)
                    times_s[point.size_bytes].push_back(time_s);
        if (times_s.size() < 2)
            continue;
        const auto& [few_bytes, short_s] = *times_s.begin();
        const auto& [many_bytes, long_s] = *times_s.rbegin();
        const double per_byte_s =
            (median(long_s) - median(short_s)) / static_cast<double>(many_bytes - few_bytes);
        const double within_packet = links.with_headers(1) - links.with_headers(0);
        return std::clamp((per_byte_s * links.port.goodput_bytes_per_s / within_packet - 1) /
                              (local ? 1 : 2),
                          0., most);
    }
    return 0;
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

/// Why no flood shows the buffers of ports.
std::string no_port_queue(const Fitting& fitting) {
    const int most = std::ranges::max(fitting.clusters.sizes());
    return !flooded_rates(fitting, 1).empty()
               ? "floods lost too little: the senders do not fill the queue"
           : any_flood(fitting, 1) ? "no flood arrived: UDP is blocked, or MPI does not use TCP"
           : most < 2 || (most == 2 && fitting.clusters.count() == 1)
               ? "too few hosts share a switch to fill a port's buffer"
               : "no floods within a cluster were measured";
}

void fit_port_queue(Fitting& fitting, Link& port) {
    if (const auto queues = flooded_queues(fitting, 1); !queues.empty()) {
        std::string differ;
        const auto queue = one_for_all(queues, true, differ);
        port.queue_bytes = queue.value;
        port.queue_error = relative_error(queue);
        if (!differ.empty())
            fitting.note("switch buffer", differ + "; the smallest of them is taken for all ports");
    } else {
        fitting.refuse("switch buffer", no_port_queue(fitting));
    }
}

} // namespace

void fit_links(Fitting& fitting) {
    if (fitting.sampled("train").empty() && fitting.sampled("flood_gap").empty())
        return;
    const auto port = fit_port(fitting);
    if (!port) {
        fitting.refuse("links", port.error().message);
        return;
    }
    for (const auto& caveat : port->caveats)
        fitting.note("port rate", caveat);
    LinkNetwork links;
    links.port.goodput_bytes_per_s = port->goodput_bytes_per_s.value;
    links.port.goodput_error = relative_error(port->goodput_bytes_per_s);
    links.port.at_least = port->at_least;
    links.start_up_s = start_up_s(fitting);
    links.port.latency_known = fitting.network.local.has_value();
    if (fitting.network.local) {
        const auto& latency_s = fitting.network.local->latency_s;
        links.port.latency_error = relative_error(latency_s);
        links.port.latency_s = std::max(0., latency_s.value - 2 * links.start_up_s);
    }
    links.mss_bytes = fit_mss_bytes(fitting);
    links.store_and_forward = store_and_forward(fitting, links);
    links.port.burst_bytes = burst_bytes(fitting, links.port.goodput_bytes_per_s);
    fit_port_queue(fitting, links.port);
    if (fitting.clusters.count() > 1) {
        links.carried = fit_carried(fitting, -1, -1);
        links.backbone = fit_paths(fitting, port->goodput_bytes_per_s, links.carried);
        links.initial_window_bytes = segments_at_first * links.full_segment_bytes();
    }
    links.rate_error = links.port.goodput_error;
    links.latency_error = links.port.latency_error;
    if (links.backbone) {
        links.rate_error = std::max(links.rate_error, links.backbone->goodput_error);
        links.latency_error = std::max(links.latency_error, links.backbone->latency_error);
    }
    links.memory = fit_memory(fitting);
    fitting.network.links = std::move(links);
}

} // namespace alltold
