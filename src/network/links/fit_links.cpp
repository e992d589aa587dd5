// SPDX-License-Identifier: BSD-3-Clause
#include "network/links/fit_links.hpp"

#include <fmt/format.h>

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
double store_and_forward(const Fitting& fitting, const LinkNetwork& links,
                         std::optional<int> cluster) {
    constexpr double most = 4;
    for (const bool local : {true, false}) {
        std::map<std::uint64_t, std::vector<double>> times_s;
        for (const auto* samples : fitting.sampled("pingpong"))
            if (const Point& point = samples->point;
                static_cast<double>(point.size_bytes) <= links.full_segment_bytes() &&
                (!cluster || fitting.clusters.cluster_of(point.first_rank) == *cluster) &&
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
    const auto local = [&](const Point& point) {
        return fitting.clusters.cluster_of(point.first_rank) ==
               fitting.clusters.cluster_of(point.second_rank);
    };
    return fit_burst_bytes(fitting.series("pingpong", local), goodput_bytes_per_s);
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
        if (queues_apart(queues))
            fitting.note("switch buffer", differ + "; each cluster's ports have their own");
    } else {
        fitting.refuse("switch buffer", no_port_queue(fitting));
    }
}

/// The rate of a cluster's ports: as fit_port says, else that of its ping-pongs.
std::optional<Estimate> rate_of_cluster(Fitting& part) {
    if (const auto port = fit_port(part))
        return port->goodput_bytes_per_s;
    const auto local = fit_local(part);
    if (!local || local->beta_s_per_byte.low <= 0)
        return std::nullopt;
    const auto& beta = local->beta_s_per_byte;
    return Estimate{1 / beta.value, 1 / beta.high, 1 / beta.low};
}

/// The ports of a cluster, like those of all in what it does not show itself.
Link fit_port_of(const Fitting& fitting, const LinkNetwork& links, int cluster,
                 std::span<const OfClusters> queues) {
    Link port = links.port;
    for (const auto& queue : queues)
        if (queue.first == cluster) {
            port.queue_bytes = queue.estimate.value;
            port.queue_error = relative_error(queue.estimate);
        }
    auto part = fitting.within(cluster);
    const auto rate = rate_of_cluster(part);
    if (!rate)
        return port;
    port.goodput_bytes_per_s = rate->value;
    port.goodput_error = relative_error(*rate);
    port.burst_bytes = burst_bytes(part, port.goodput_bytes_per_s);
    if (const auto local = fit_local(part)) {
        port.latency_error = relative_error(local->latency_s);
        port.latency_s = std::max(0., local->latency_s.value - 2 * links.start_up_s);
    }
    return port;
}

/// Where they differ. `rates`: whether those do.
void fit_ports_of_clusters(const Fitting& fitting, LinkNetwork& links, bool rates) {
    const auto queues = flooded_queues(fitting, 1);
    if (!rates && !queues_apart(queues))
        return;
    links.of_clusters = fitting.clusters;
    links.ports.resize(static_cast<std::size_t>(fitting.clusters.count()), links.port);
    double fastest = links.port.goodput_bytes_per_s;
    std::vector<Link*> unknown;
    for (int c = 0; c < fitting.clusters.count(); ++c) {
        Link& port = links.ports[static_cast<std::size_t>(c)];
        auto part = fitting.within(c);
        if (rates && !rate_of_cluster(part))
            unknown.push_back(&port);
        const Link own = fit_port_of(fitting, links, c, queues);
        port.queue_bytes = own.queue_bytes;
        port.queue_error = own.queue_error;
        if (rates)
            port = own;
        fastest = std::max(fastest, port.goodput_bytes_per_s);
    }
    // A cluster that shows no rate, such as one of a single host, may have any of the others'.
    for (Link* port : unknown)
        port->goodput_error = fastest / port->goodput_bytes_per_s - 1;
    links.port = worst_of(links.ports);
}

constexpr std::size_t fewest_burst_sizes = 3;
/// Sizes agree where they are within this factor of their median.
constexpr double agreed = 2;
/// Messages of so many latencies are judged; shorter ones are all start-up.
constexpr double long_message = 10;
/// A burst is at most this share of the messages from which it is read.
constexpr double most_of_message = 0.5;

Result<RateFit> fit_copies(const Fitting& fitting) {
    return fit_rate(fitting.series("memory"), "copies between ranks of one host", fitting.seed);
}

/// Bytes per second of all pairs of a host together; empty where that was not measured.
std::optional<Estimate> shared_rate(Fitting& fitting) {
    std::map<std::pair<int, std::uint64_t>, std::vector<OfClusters>, std::greater<>> by_load;
    for (const auto* samples : fitting.sampled("memory_shared")) {
        const Point& point = samples->point;
        const auto times_s = samples->series().times_s;
        if (point.n() < 2 || point.size_bytes == 0 || times_s.size() < fewest_repetitions ||
            std::ranges::min(times_s) <= 0)
            continue;
        const int pairs = point.n() / 2;
        const double bytes = pairs * static_cast<double>(point.size_bytes);
        const auto time_s = estimate_of(times_s);
        by_load[{pairs, point.size_bytes}].push_back(
            {fmt::format("the host of rank {}", std::max(point.first_rank, 0)),
             {bytes / time_s.value, bytes / time_s.high, bytes / time_s.low}});
    }
    if (by_load.empty())
        return std::nullopt;
    std::string differ;
    const auto rate = one_for_all(by_load.begin()->second, true, differ);
    if (!differ.empty())
        fitting.note("memory", differ + "; the slowest of them is taken for all");
    return rate;
}

/// From 0.2 us and 8 GB/s, as between ranks of a quiet node, to 20 us and 0.5 GB/s, as between
/// those of a lab that wait for a processor.
constexpr LinkNetwork::Memory assumed_memory{.latency_s = 2e-6,
                                             .copy_bytes_per_s = 2e9,
                                             .shared_bytes_per_s = 4e9,
                                             .latency_error = 9,
                                             .rate_error = 3,
                                             .assumed = true};

/// The bytes that fill a port have passed the memory.
LinkNetwork::Memory memory_behind(const Link& port) {
    auto memory = assumed_memory;
    memory.copy_bytes_per_s = std::max(memory.copy_bytes_per_s, port.goodput_bytes_per_s);
    memory.shared_bytes_per_s = std::max(memory.shared_bytes_per_s, memory.copy_bytes_per_s);
    return memory;
}

} // namespace

void fit_links(Fitting& fitting) {
    constexpr std::array of_rates{"train", "flood_gap", "pairs", "exchange"};
    if (std::ranges::all_of(of_rates,
                            [&](const char* probe) { return fitting.sampled(probe).empty(); }))
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
    links.connection_bytes_per_s = port->of_pair ? port->of_pair->value : 0;
    links.start_up_s = start_up_s(fitting);
    links.port.latency_known = fitting.network.local.has_value();
    if (fitting.network.local) {
        const auto& latency_s = fitting.network.local->latency_s;
        links.port.latency_error = relative_error(latency_s);
        links.port.latency_s = std::max(0., latency_s.value - 2 * links.start_up_s);
    }
    links.mss_bytes = fit_mss_bytes(fitting);
    links.store_and_forward = store_and_forward(fitting, links, port->cluster);
    links.port.burst_bytes = burst_bytes(port->cluster ? fitting.within(*port->cluster) : fitting,
                                         links.port.goodput_bytes_per_s);
    fit_port_queue(fitting, links.port);
    fit_ports_of_clusters(fitting, links, port->cluster.has_value());
    if (fitting.clusters.count() > 1) {
        links.carried = fit_carried(fitting, -1, -1);
        fit_paths(fitting, links);
        links.initial_window_bytes = segments_at_first * links.full_segment_bytes();
    }
    links.change_links([&](const Link& link) {
        links.rate_error = std::max(links.rate_error, link.goodput_error);
        links.latency_error = std::max(links.latency_error, link.latency_error);
    });
    links.memory = fit_memory(fitting).value_or(memory_behind(links.port));
    fitting.network.links = std::move(links);
}

Link worst_of(std::span<const Link> links) {
    Link worst = links.front();
    for (const auto& link : links) {
        if (link.goodput_bytes_per_s < worst.goodput_bytes_per_s) {
            worst.goodput_bytes_per_s = link.goodput_bytes_per_s;
            worst.at_least = link.at_least;
            worst.burst_bytes = link.burst_bytes;
        }
        worst.latency_s = std::max(worst.latency_s, link.latency_s);
        worst.latency_known = worst.latency_known || link.latency_known;
        if (link.queue_bytes > 0 &&
            (worst.queue_bytes <= 0 || link.queue_bytes < worst.queue_bytes)) {
            worst.queue_bytes = link.queue_bytes;
            worst.queue_error = link.queue_error;
        }
        worst.goodput_error = std::max(worst.goodput_error, link.goodput_error);
        worst.latency_error = std::max(worst.latency_error, link.latency_error);
    }
    return worst;
}

double fit_burst_bytes(std::span<const Series> pingpongs, double goodput_bytes_per_s) {
    std::map<double, std::vector<double>> times_s;
    for (const auto& series : pingpongs)
        times_s[series.size_bytes].insert(times_s[series.size_bytes].end(), series.times_s.begin(),
                                          series.times_s.end());
    if (times_s.empty())
        return 0;
    const auto& [least_bytes, least_s] = *times_s.begin();
    const double latency_s = median(least_s);
    std::vector<double> missing_bytes;
    for (const auto& [size_bytes, all_s] : times_s) {
        const double bytes =
            goodput_bytes_per_s * (latency_s - median(all_s)) + size_bytes - least_bytes;
        if (size_bytes > long_message * latency_s * goodput_bytes_per_s &&
            bytes < most_of_message * size_bytes)
            missing_bytes.push_back(bytes);
    }
    if (missing_bytes.size() < fewest_burst_sizes)
        return 0;
    const double burst_bytes = median(missing_bytes);
    return burst_bytes > 0 && std::all_of(missing_bytes.begin(), missing_bytes.end(),
                                          [&](double bytes) {
                                              return bytes > burst_bytes / agreed &&
                                                     bytes < burst_bytes * agreed;
                                          })
               ? burst_bytes
               : 0;
}

std::optional<LinkNetwork::Memory> fit_memory(Fitting& fitting) {
    if (fitting.sampled("memory").empty() && fitting.sampled("memory_shared").empty())
        return std::nullopt;
    const auto pair = fit_copies(fitting);
    if (!pair) {
        fitting.refuse("memory", pair.error().message);
        return std::nullopt;
    }
    const auto shared = shared_rate(fitting);
    if (!shared) {
        fitting.refuse("memory", "copies of all ranks of a host at once were not measured");
        return std::nullopt;
    }
    const auto& copy = pair->goodput_bytes_per_s;
    LinkNetwork::Memory memory;
    memory.latency_s = std::max(0., pair->offset_s.value);
    memory.copy_bytes_per_s = copy.value;
    memory.shared_bytes_per_s = std::max(shared->value, copy.value);
    memory.latency_error = relative_error(pair->offset_s);
    memory.rate_error = std::max(relative_error(copy), relative_error(*shared));
    return memory;
}

} // namespace alltold
