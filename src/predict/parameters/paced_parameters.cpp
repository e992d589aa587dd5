// SPDX-License-Identifier: BSD-3-Clause
// Bytes in flight towards ports and across the backbone, turned into segments and windows.
#include "predict/parameters/paced_parameters.hpp"

#include "network/capacity.hpp"

namespace alltold {
namespace {

// Several segments must fit in a buffer, or two senders that meet at a port overflow it. Segments
// are whole packets; one above the last of these gains nothing. Chosen in four labs, where no port
// lost a packet (docs/results/exchange.md, "Against the library").
constexpr double segments_per_buffer = 16;
constexpr double most_packets = 11;
/// Share of a port's buffer for intra-cluster segments where inter-cluster segments arrive too;
/// from there a search goes on (docs/results/exchange.md, "Windows within clusters").
constexpr double share_beside_inter_cluster = 0.5;
/// The usable share of the backbone's queue; the rest is for headers. Of calls that filled a queue
/// further 48 % lost packets (docs/results/blind.md, "Full queues").
constexpr double queue_share = 0.9;

int whole_segments(double bytes, double segment_bytes) {
    return whole_between(std::round(bytes / (segment_bytes + message_headers_bytes)), 1,
                         most_window);
}

/// Fan-in of the backbone: blocks of several clusters may meet on the way into one cluster. The
/// largest ratio of the bytes that meet there to the bytes that one cluster has in flight, if all
/// clusters have equally many in flight.
double fan_in(const Clusters& clusters) {
    double most = 1;
    for (int into = 0; into < clusters.count(); ++into) {
        double met = 0;
        for (int from = 0; from < clusters.count(); ++from)
            if (from != into)
                met += static_cast<double>(clusters.size(into)) /
                       (clusters.ranks() - clusters.size(from));
        most = std::max(most, met);
    }
    return most;
}

/// The backbone's queue. Without a measurement, one bandwidth-delay product, the usual size of
/// router buffers.
double backbone_queue_bytes(const LinkNetwork& links) {
    const auto& backbone = *links.backbone;
    return backbone.queue_bytes > 0 ? backbone.queue_bytes
                                    : 2 * backbone.latency_s * backbone.goodput_bytes_per_s;
}

/// Inter-cluster bytes that each cluster may have in flight: the backbone's one-way capacity and a
/// share of its queue. A rank sends on as segments of others arrive.
double inter_cluster_bytes(const LinkNetwork& links, const Clusters& clusters) {
    const auto& backbone = *links.backbone;
    return (backbone.goodput_bytes_per_s * (backbone.latency_s + links.port.latency_s) +
            queue_share * backbone_queue_bytes(links)) /
           fan_in(clusters);
}

/// The longest segment of which every rank may have one on its way to other clusters: in the
/// largest cluster each has the least share. At least a packet.
double most_crossing_segment(double cluster_bytes, const Clusters& clusters, double payload_bytes) {
    const double each_bytes = cluster_bytes / std::ranges::max(clusters.sizes());
    return std::max(std::floor(each_bytes / (payload_bytes + message_headers_bytes)), 1.0) *
           payload_bytes;
}

} // namespace

bool holds_all(const LinkNetwork& links, const Clusters& clusters, std::uint64_t size_bytes) {
    if (clusters.hosts() < 2)
        return true;
    const double block_bytes = static_cast<double>(size_bytes) + message_headers_bytes;
    if (links.port.queue_bytes > 0 &&
        most_pairs_of_a_host(clusters) * block_bytes > links.port.queue_bytes)
        return false;
    if (clusters.count() == 1 || !links.backbone)
        return true;
    return std::ranges::all_of(clusters.sizes(), [&](double size) {
        return size * (clusters.ranks() - size) * block_bytes <=
               queue_share * backbone_queue_bytes(links);
    });
}

double longest_paced_segment(const LinkNetwork& links, double payload_bytes) {
    if (links.port.queue_bytes <= 0)
        return most_packets * payload_bytes;
    const double packets = std::ceil(links.port.queue_bytes / segments_per_buffer / payload_bytes);
    return std::clamp(packets, 1.0, most_packets) * payload_bytes;
}

Parameters shared_by(int ranks, Parameters parameters, std::uint64_t size_bytes,
                     std::uint64_t payload_bytes) {
    if (ranks == 1 || parameters.window == 0)
        return parameters;
    constexpr int segments_of_each = 8; // of fewer, one that is late leaves the port idle
    const auto payload = static_cast<double>(payload_bytes);
    const auto message_of = [&](std::uint64_t segment_bytes) {
        return message_headers_bytes +
               static_cast<double>(std::clamp<std::uint64_t>(size_bytes, 1, segment_bytes));
    };
    const double long_bytes = message_of(parameters.segment_bytes);
    const double each_bytes = parameters.window * long_bytes / ranks;
    const auto packets_of = [&](double bytes) {
        return std::floor((bytes - message_headers_bytes) / payload);
    };
    const double packets =
        packets_of(each_bytes) < 1 ? 0.5 : std::max(packets_of(each_bytes / segments_of_each), 1.);
    parameters.segment_bytes =
        std::min(parameters.segment_bytes,
                 whole_between<std::uint64_t>(packets * payload, 1, most_size_bytes));
    const double longer = long_bytes / message_of(parameters.segment_bytes) / ranks;
    parameters.window = whole_between(std::floor(longer * parameters.window), 1, segments_of_each);
    if (parameters.inter_cluster_window > 0)
        parameters.inter_cluster_window =
            whole_between(std::floor(longer * parameters.inter_cluster_window), 1, most_window);
    return parameters;
}

Parameters paced_parameters(const LinkNetwork& links, const Clusters& clusters,
                            std::uint64_t size_bytes, std::uint64_t payload_bytes) {
    return holds_all(links, clusters, size_bytes)
               ? Parameters{}
               : limited_pace(links, clusters, size_bytes, payload_bytes);
}

Parameters limited_pace(const LinkNetwork& links, const Clusters& clusters,
                        std::uint64_t size_bytes, std::uint64_t payload_bytes) {
    Parameters parameters;
    const bool crosses = clusters.count() > 1 && links.backbone;
    const double crossing_bytes = crosses ? inter_cluster_bytes(links, clusters) : 0;
    const auto payload = static_cast<double>(payload_bytes);
    double segment_bytes = longest_paced_segment(links, payload);
    if (crosses)
        segment_bytes =
            std::min(segment_bytes, most_crossing_segment(crossing_bytes, clusters, payload));
    const double segment = std::clamp(static_cast<double>(size_bytes), 1., segment_bytes);
    parameters.segment_bytes = whole_between<std::uint64_t>(segment_bytes, 1, most_size_bytes);
    const double buffer_bytes =
        links.port.queue_bytes > 0 ? links.port.queue_bytes : segments_per_buffer * segment_bytes;
    const double share = crosses ? share_beside_inter_cluster : 1;
    parameters.window = whole_segments(share * buffer_bytes, segment);
    parameters = shared_by(clusters.most_ranks_of_a_host(), parameters, size_bytes, payload_bytes);
    if (crosses) {
        const auto sent =
            static_cast<double>(std::clamp<std::uint64_t>(size_bytes, 1, parameters.segment_bytes));
        parameters.inter_cluster_window =
            whole_segments(crossing_bytes * clusters.count() / clusters.ranks(), sent);
    }
    return parameters;
}

} // namespace alltold
