// SPDX-License-Identifier: BSD-3-Clause
// Paths from floods, flows and ping-pongs.
#include "network/links/fit_links.hpp"

#include <set>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold {
namespace {

/// A path that all hosts together fill leaves them less than this of what their ports carry.
constexpr double filled = 0.95;
/// Message sizes that fit into one packet, and tell how long a byte of a packet takes.
constexpr double least_grown_bytes = 512;
constexpr double one_packet_bytes = ethernet_segment_bytes - mpi_header_bytes;

struct Latency {
    double value_s = 0; ///< of a frame of no bytes
    double error_s = 0; ///< standard
};

/// The clusters of the two ranks of a point, the lower one first.
std::pair<int, int> clusters_of(const Point& point, const Clusters& world) {
    return std::minmax({world.cluster_of(point.first_rank), world.cluster_of(point.second_rank)});
}

/// By pair of clusters, the lower one first. Processors make some round trips longer, and none
/// shorter: ping-pongs that were slower than a quarter of all pairs' latencies give way to these.
std::map<std::pair<int, int>, Latency> latencies(const Fitting& fitting) {
    constexpr double quick = 0.25;
    std::map<std::pair<int, int>, std::map<double, std::vector<double>>> by_pair;
    std::map<std::pair<int, int>, std::vector<double>> of_all_pairs;
    for (const auto* samples : fitting.sampled("pingpong")) {
        const auto series = samples->series();
        if (!series.fitted() || series.size_bytes > one_packet_bytes)
            continue;
        auto& times_s = by_pair[clusters_of(samples->point, fitting.clusters)][series.size_bytes];
        times_s.insert(times_s.end(), series.times_s.begin(), series.times_s.end());
    }
    for (const auto* samples : fitting.sampled("latency"))
        for (const double time_s : samples->series().times_s)
            of_all_pairs[clusters_of(samples->point, fitting.clusters)].push_back(time_s);
    std::map<std::pair<int, int>, Latency> found;
    for (const auto& [clusters, by_size] : by_pair) {
        const auto& [small_bytes, small_s] = *by_size.begin();
        const auto& [large_bytes, large_s] = *by_size.rbegin();
        Latency latency{median(small_s), median_standard_error(small_s)};
        if (large_bytes - small_bytes >= least_grown_bytes) {
            const double share =
                (message_headers_bytes + small_bytes) / (large_bytes - small_bytes);
            latency.value_s -= share * std::max(0., median(large_s) - median(small_s));
            latency.error_s = std::hypot(latency.error_s, share * median_standard_error(large_s));
        }
        if (const auto all = of_all_pairs.find(clusters); all != of_all_pairs.end())
            latency.value_s += std::min(0., quantile(all->second, quick) - median(small_s));
        found[clusters] = latency;
    }
    return found;
}

/// Whether ping-pongs between any two clusters were measured often enough.
bool paths_were_measured(const Fitting& fitting) {
    return std::ranges::any_of(latencies(fitting),
                               [](const auto& one) { return one.first.first != one.first.second; });
}

std::optional<Latency> local_latency(const std::map<std::pair<int, int>, Latency>& all, int a,
                                     int b) {
    std::vector<Latency> both, any;
    for (const auto& [clusters, latency] : all)
        if (clusters.first == clusters.second) {
            any.push_back(latency);
            if (clusters.first == a || clusters.first == b)
                both.push_back(latency);
        }
    const auto& taken = both.empty() ? any : both;
    if (taken.empty())
        return {};
    Latency mean;
    for (const auto& latency : taken) {
        mean.value_s += latency.value_s / static_cast<double>(taken.size());
        mean.error_s = std::max(mean.error_s, latency.error_s);
    }
    return mean;
}

/// The largest rate of concurrent flows between each pair of clusters.
std::vector<OfClusters> rates_of_flows(const Fitting& fitting) {
    std::set<std::pair<int, int>> ranks;
    for (const auto* samples : fitting.sampled("flows"))
        ranks.emplace(samples->point.first_rank, samples->point.second_rank);
    std::vector<OfClusters> rates;
    for (const auto& [first, second] : ranks) {
        double most = 0;
        for (const auto& carried : fit_carried(fitting, first, second))
            most = std::max(most, carried.goodput_bytes_per_s);
        if (most > 0)
            rates.push_back({fmt::format("clusters {} and {}",
                                         first < 0 ? 0 : fitting.clusters.cluster_of(first),
                                         first < 0 ? 1 : fitting.clusters.cluster_of(second)),
                             Estimate::exact(most)});
    }
    return rates;
}

double error_of(const Estimate& estimate) {
    return std::max(estimate.high / estimate.value - 1, 1 - estimate.low / estimate.value);
}

/// Measurements that show the rates and queues of paths.
struct Paths {
    std::vector<OfClusters> rates, queues;
    std::vector<OfClusters> of_pairs; ///< floods' rates; of those that filled nothing the least
    bool at_least = false;            ///< nothing filled a path
    std::string no_queue;             ///< why there are no queues
};

/// Whether the ports of a flood's receivers, if they are slower than the senders', may be what it
/// filled.
bool may_fill_ports(const OfClusters& rate, const LinkNetwork& links) {
    if (rate.second < 0)
        return false;
    const Link &from = links.port_of(rate.first), &to = links.port_of(rate.second);
    return to.goodput_bytes_per_s < from.goodput_bytes_per_s &&
           rate.estimate.high * (1 + to.goodput_error) >= rate.hosts * to.goodput_bytes_per_s;
}

/// Only floods that overflow show a rate; the largest of the others is the least there is.
Paths paths_of_floods(const Fitting& fitting, const LinkNetwork& links) {
    Paths paths{.rates = {}, .queues = flooded_queues(fitting, 2), .of_pairs = {}, .no_queue = {}};
    const auto all = flooded_rates(fitting, 2);
    for (const auto& one : all)
        if (may_fill_ports(one, links))
            std::erase_if(paths.queues,
                          [&](const OfClusters& queue) { return queue.clusters == one.clusters; });
    for (const auto& one : all)
        if (std::ranges::count(paths.queues, one.clusters, &OfClusters::clusters) > 0)
            paths.rates.push_back(one);
    paths.at_least = paths.rates.empty() && !all.empty();
    if (paths.at_least) {
        const auto& most = *std::ranges::max_element(
            all, {}, [](const OfClusters& one) { return one.estimate.high; });
        paths.rates.push_back({most.clusters, Estimate::exact(most.estimate.high)});
    }
    for (const auto& one : all)
        if (one.second >= 0) {
            const bool known =
                std::ranges::count(paths.queues, one.clusters, &OfClusters::clusters) > 0;
            paths.of_pairs.push_back(one);
            if (!known)
                paths.of_pairs.back().estimate = {one.estimate.high, one.estimate.high, INFINITY};
        }
    paths.no_queue = paths.at_least ? "floods of up to 1 s or 16 MiB a host lost too little: the "
                                      "senders do not fill the queue"
                     : !any_flood(fitting, 2)
                         ? "no floods between clusters were measured"
                         : "no flood between clusters arrived: UDP is blocked, or MPI does not use "
                           "TCP";
    return paths;
}

Estimate for_all(Fitting& fitting, const char* what, std::span<const OfClusters> all,
                 bool smallest) {
    std::string differ;
    const auto one = one_for_all(all, smallest, differ);
    if (!differ.empty())
        fitting.note(what, fmt::format("{}; what knows one backbone has the {} of them", differ,
                                       smallest ? "smallest" : "longest"));
    return one;
}

/// Processors make ping-pongs longer, those of some pairs more than those of others: what differs
/// little is one latency.
bool latencies_differ(std::span<const OfClusters> all) {
    constexpr double little = 1.2;
    if (all.size() < 2)
        return false;
    const auto [least, most] =
        std::ranges::minmax(all, {}, [](const OfClusters& one) { return one.estimate.value; });
    return most.estimate.value > little * least.estimate.value && any_apart(all, 0);
}

/// The path of each pair of clusters, where they differ.
std::vector<Link> paths_of_pairs(const Paths& paths, std::span<const OfClusters> latencies,
                                 const Link& backbone, int clusters) {
    std::vector<OfClusters> queues;
    for (const auto& queue : paths.queues)
        if (queue.second >= 0)
            queues.push_back(queue);
    // A processor answers late by that much: delays of equal paths in kept labs differ by up to
    // 0.95 ms.
    constexpr double least_latency_error_s = 0.5e-3;
    const bool delays_apart =
        latencies_differ(latencies) && any_apart(latencies, 0, least_latency_error_s);
    if (clusters < 3 || !(rates_apart(paths.of_pairs) || queues_apart(queues) || delays_apart))
        return {};
    std::vector<Link> all;
    for (int high = 1; high < clusters; ++high)
        for (int low = 0; low < high; ++low) {
            Link& path = all.emplace_back(backbone);
            const auto take = [&](std::span<const OfClusters> of, double Link::*value,
                                  double Link::*error) {
                for (const auto& one : of)
                    if (std::minmax(one.first, one.second) == std::minmax(low, high)) {
                        path.*value = one.estimate.value;
                        path.*error =
                            std::isinf(one.estimate.high) ? 0 : relative_error(one.estimate);
                        return std::isinf(one.estimate.high);
                    }
                return false;
            };
            path.at_least = take(paths.of_pairs, &Link::goodput_bytes_per_s, &Link::goodput_error);
            if (path.at_least)
                path.queue_bytes = path.queue_error = 0;
            take(queues, &Link::queue_bytes, &Link::queue_error);
            take(latencies, &Link::latency_s, &Link::latency_error);
        }
    return all;
}

} // namespace

std::vector<CarriedFlows> fit_carried(const Fitting& fitting, int first_rank, int second_rank) {
    std::map<int, std::map<int, double>> median_s; // by flows, by count
    double size_bytes = 0;
    for (const auto* samples : fitting.sampled("flows")) {
        const Point& point = samples->point;
        const auto times_s = samples->series().times_s;
        if (times_s.size() < fewest_repetitions || point.first_rank != first_rank ||
            point.second_rank != second_rank)
            continue;
        // Other sizes would be other points of the line.
        if (size_bytes > 0 && size_bytes != static_cast<double>(point.size_bytes))
            continue;
        size_bytes = static_cast<double>(point.size_bytes);
        median_s[point.clusters.size(0)][point.count] = median(times_s);
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

std::vector<OfClusters> path_latencies(const Fitting& fitting) {
    std::vector<OfClusters> found;
    const auto all = latencies(fitting);
    for (const auto& [clusters, across] : all) {
        if (clusters.first == clusters.second)
            continue;
        const auto within = local_latency(all, clusters.first, clusters.second);
        const double value_s = std::max(0., across.value_s - (within ? within->value_s : 0));
        const double error_s = 2 * std::hypot(across.error_s, within ? within->error_s : 0);
        if (value_s > 0)
            found.push_back({fmt::format("clusters {} and {}", clusters.first, clusters.second),
                             {value_s, std::max(0., value_s - error_s), value_s + error_s},
                             clusters.first,
                             clusters.second});
    }
    return found;
}

void fit_paths(Fitting& fitting, LinkNetwork& links) {
    auto paths = paths_of_floods(fitting, links);
    const auto& carried = links.carried;
    if (paths.rates.empty()) {
        paths.rates = rates_of_flows(fitting);
        const auto most = std::ranges::max_element(carried, {}, &CarriedFlows::goodput_bytes_per_s);
        paths.at_least =
            most != carried.end() &&
            most->goodput_bytes_per_s > filled * most->flows * links.port.goodput_bytes_per_s;
    }
    if (const auto& pair = fitting.network.inter_cluster; paths.rates.empty() && pair) {
        paths.rates.push_back(
            {"clusters 0 and 1", Estimate::exact(1 / pair->beta_s_per_byte.value)});
        paths.at_least = true;
    }
    if (paths.rates.empty()) {
        fitting.refuse("backbone", "neither floods nor flows show its rate");
        return;
    }
    const auto rate = for_all(fitting, "backbone rate", paths.rates, true);
    Link backbone{.goodput_bytes_per_s = rate.value};
    backbone.goodput_error = error_of(rate);
    backbone.at_least = paths.at_least;
    if (paths.at_least)
        fitting.note("backbone rate",
                     fmt::format("senders at once reach {} without filling it: the backbone "
                                 "carries at least that",
                                 format_rate(8 * rate.value)));
    if (!paths.queues.empty()) {
        const auto queue = for_all(fitting, "backbone queue", paths.queues, true);
        backbone.queue_bytes = queue.value;
        backbone.queue_error = error_of(queue);
    } else {
        fitting.refuse("backbone queue", paths.no_queue);
    }
    const auto latencies = path_latencies(fitting);
    backbone.latency_known = !latencies.empty();
    if (backbone.latency_known) {
        const auto latency = latencies_differ(latencies)
                                 ? for_all(fitting, "backbone latency", latencies, false)
                                 : pooled(latencies);
        backbone.latency_s = latency.value;
        backbone.latency_error = error_of(latency);
    } else {
        fitting.refuse("backbone latency",
                       paths_were_measured(fitting)
                           ? "ping-pongs between clusters are not slower than those within them"
                           : "no ping-pongs between clusters were measured");
    }
    links.paths = paths_of_pairs(paths, latencies, backbone, fitting.clusters.count());
    links.backbone = links.paths.empty() ? backbone : worst_of(links.paths);
    if (!links.paths.empty())
        links.of_clusters = fitting.clusters;
}

} // namespace alltold
