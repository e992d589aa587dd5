// SPDX-License-Identifier: BSD-3-Clause
// Bytes in flight towards ports and across the backbone, turned into chunks and windows.
#include "predict/paced_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "predict/bounds.hpp"
#include "predict/segment_search.hpp"

namespace alltold {
namespace {

// Several chunks must fit in a buffer, or two senders that meet at a port overflow it. Chunks are
// whole packets; one above the last of these gains nothing.
constexpr double chunks_per_buffer = 16;
constexpr double most_chunk_bytes = 11 * static_cast<double>(packet_payload_bytes);
/// What local chunks may take of a port's buffer: all of it where nothing else arrives, half where
/// chunks of other clusters do, and less where the backbone is the narrowest: then local chunks
/// have time, and those that must go far should not wait behind them.
constexpr double share_alone = 1, share_beside_wide = 0.5, share_below_wide = 0.25;
/// Headers of a message, which count where messages are small.
constexpr double headers_bytes = 100;
/// The part of the backbone's queue to live in; the rest is for headers.
constexpr double queue_share = 0.9;
/// Senders share a port evenly on average only. One that gets no more than this part of its rate
/// while all send at once does not fill.
constexpr double relaxed_share = 0.95;

int whole_chunks(double bytes, double chunk_bytes) {
    return std::max(1, static_cast<int>(std::lround(bytes / (chunk_bytes + headers_bytes))));
}

double chunk_bytes(const LinkNetwork& links) {
    if (links.port.queue_bytes <= 0)
        return most_chunk_bytes;
    const double packets =
        std::ceil(links.port.queue_bytes / chunks_per_buffer / packet_payload_bytes);
    return std::clamp(packets * packet_payload_bytes, double{packet_payload_bytes},
                      most_chunk_bytes);
}

bool backbone_is_narrowest(const LinkNetwork& links, const Clusters& clusters) {
    return alltoall_wan_bound_s(clusters, 1, {links.backbone->goodput_bytes_per_s, 0}) >=
           alltoall_nic_bound_s(clusters.ranks(), 1, links.port.goodput_bytes_per_s);
}

/// Clusters' blocks for one cluster arrive together there: so many times what one cluster has under
/// way, when each has as much, may meet on the way to the one most is for.
double crowd(const Clusters& clusters) {
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

/// The backbone's queue, where it was not measured what routers are built for: a round trip's
/// worth.
double backbone_queue_bytes(const LinkNetwork& links) {
    const auto& backbone = *links.backbone;
    return backbone.queue_bytes > 0 ? backbone.queue_bytes
                                    : 2 * backbone.latency_s * backbone.goodput_bytes_per_s;
}

/// Bytes each rank may have on its way to other clusters, on average, when a rank goes on as far as
/// others' chunks come back: what the backbone holds on one way and a part of its queue.
double wide_bytes(const LinkNetwork& links, const Clusters& clusters) {
    const auto& backbone = *links.backbone;
    const double of_cluster =
        backbone.goodput_bytes_per_s * (backbone.latency_s + links.port.latency_s) +
        queue_share * backbone_queue_bytes(links);
    return of_cluster / crowd(clusters) * clusters.count() / clusters.ranks();
}

/// All that is sent when every rank sends to every other at once, its link shared evenly.
struct Flood {
    Flood(const LinkNetwork& links, const Clusters& clusters, double size_bytes)
        : links_(links), clusters_(clusters), block_bytes_(size_bytes + headers_bytes),
          rate_(links.port.goodput_bytes_per_s / (clusters.ranks() - 1)) {}

    /// Whether all that is for one port fits into its buffer.
    bool fits_port() const {
        return links_.port.queue_bytes <= 0 ||
               (clusters_.ranks() - 1) * block_bytes_ <= links_.port.queue_bytes;
    }
    /// Whether what `cluster` sends on to others faster than the backbone carries it fits into its
    /// queue.
    bool fits_backbone(int cluster) const {
        const auto& backbone = *links_.backbone;
        const double pairs = crossing(cluster);
        return pairs * block_bytes_ * (1 - backbone.goodput_bytes_per_s / (pairs * rate_)) <=
               queue_share * backbone_queue_bytes(links_);
    }
    /// Whether the backbone keeps the ports of `cluster` from filling.
    bool relaxes_ports(int cluster) const {
        const int size = clusters_.size(cluster);
        const double wide =
            std::min(crossing(cluster) * rate_, links_.backbone->goodput_bytes_per_s) / size;
        return (size - 1) * rate_ + wide <= relaxed_share * links_.port.goodput_bytes_per_s;
    }

  private:
    /// Pairs of a rank of `cluster` and one of another.
    double crossing(int cluster) const {
        const int size = clusters_.size(cluster);
        return static_cast<double>(size) * (clusters_.ranks() - size);
    }

    const LinkNetwork& links_;
    const Clusters& clusters_;
    double block_bytes_, rate_; ///< of one pair
};

/// Whether no queue overflows, and so nothing needs to wait, when everything is sent at once.
bool fits(const LinkNetwork& links, const Clusters& clusters, double size_bytes) {
    if (clusters.ranks() < 2)
        return true;
    const Flood flood(links, clusters, size_bytes);
    if (clusters.count() == 1 || !links.backbone)
        return flood.fits_port();
    for (int cluster = 0; cluster < clusters.count(); ++cluster)
        if (!flood.fits_backbone(cluster) || !(flood.fits_port() || flood.relaxes_ports(cluster)))
            return false;
    return true;
}

} // namespace

Parameters paced_parameters(const LinkNetwork& links, const Clusters& clusters,
                            std::uint64_t size_bytes) {
    if (fits(links, clusters, static_cast<double>(size_bytes)))
        return {};
    Parameters parameters;
    const double segment_bytes = chunk_bytes(links);
    const double chunk = std::clamp(static_cast<double>(size_bytes), 1., segment_bytes);
    parameters.segment_bytes = static_cast<std::uint64_t>(segment_bytes);
    const double room_bytes =
        links.port.queue_bytes > 0 ? links.port.queue_bytes : chunks_per_buffer * segment_bytes;
    if (clusters.count() == 1 || !links.backbone) {
        parameters.window = whole_chunks(share_alone * room_bytes, chunk);
        return parameters;
    }
    const double share =
        backbone_is_narrowest(links, clusters) ? share_below_wide : share_beside_wide;
    parameters.window = whole_chunks(share * room_bytes, chunk);
    parameters.inter_cluster_window = whole_chunks(wide_bytes(links, clusters), chunk);
    return parameters;
}

} // namespace alltold
