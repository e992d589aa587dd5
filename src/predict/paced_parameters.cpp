// SPDX-License-Identifier: BSD-3-Clause
// Bytes in flight towards ports and across the backbone, turned into chunks and windows.
#include "predict/paced_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "model/bounds.hpp"

namespace alltold {
namespace {

// Several chunks must fit in a buffer, or two senders that meet at a port overflow it; a chunk
// below a packet or so costs headers, and one above this gains nothing.
constexpr double chunks_per_buffer = 16;
constexpr double least_chunk_bytes = 1024;
constexpr double most_chunk_bytes = 16384;
/// Chunks that cross the backbone take a processor's time twice, for they are acknowledged.
constexpr double chunks_per_buffer_wide = 8;
/// What local chunks may take of a port's buffer: all of it where nothing else arrives, half where
/// chunks of other clusters do, and less where the backbone is the narrowest: then local chunks
/// have time, and those that must go far should not wait behind them.
constexpr double share_alone = 1, share_beside_wide = 0.5, share_below_wide = 0.25;
/// Headers of a message, which count where messages are small.
constexpr double headers_bytes = 100;
/// The part of the backbone's queue to live in; the rest is for headers.
constexpr double queue_share = 0.9;

int whole_chunks(double bytes, double chunk_bytes) {
    return std::max(1, static_cast<int>(std::lround(bytes / (chunk_bytes + headers_bytes))));
}

double chunk_bytes(const LinkNetwork& links, bool wide) {
    if (links.port.queue_bytes <= 0)
        return most_chunk_bytes;
    return std::clamp(links.port.queue_bytes / (wide ? chunks_per_buffer_wide : chunks_per_buffer),
                      least_chunk_bytes, most_chunk_bytes);
}

/// How long links and backbone are busy with one byte for each pair.
struct Busy {
    Busy(const LinkNetwork& links, const Clusters& clusters)
        : nic_s(alltoall_nic_bound_s(clusters.ranks(), 1, links.port.goodput_bytes_per_s)),
          wan_s(alltoall_wan_bound_s(clusters, 1, {links.backbone->goodput_bytes_per_s, 0})) {}
    bool backbone_is_narrowest() const { return wan_s >= nic_s; }

    double nic_s, wan_s;
};

/// Bytes each rank may have on its way to other clusters: what its share of the backbone carries
/// while a chunk goes there and its acknowledgement comes back, and its part of the queue; the mean
/// of all ranks, where clusters differ.
double wide_bytes(const LinkNetwork& links, const Clusters& clusters, const Busy& busy,
                  double local_bytes) {
    const auto& backbone = *links.backbone;
    // A chunk also waits behind local ones, at its own link and at the last port, unless the
    // backbone is the narrowest: then these queues are short.
    const double wait_s =
        busy.backbone_is_narrowest() ? 0 : 2 * local_bytes / links.port.goodput_bytes_per_s;
    const double loop_s = 2 * (backbone.latency_s + links.port.latency_s) + wait_s;
    double all_bytes = 0;
    for (const int size : clusters.sizes()) {
        const double rate = (clusters.ranks() - size) / std::max(busy.nic_s, busy.wan_s);
        all_bytes += size * rate * loop_s + queue_share * backbone.queue_bytes;
    }
    return all_bytes / clusters.ranks();
}

} // namespace

Parameters paced_parameters(const LinkNetwork& links, const Clusters& clusters,
                            std::uint64_t size_bytes) {
    Parameters parameters;
    const bool wide = clusters.count() > 1 && links.backbone;
    const double segment_bytes = chunk_bytes(links, wide);
    const double chunk = std::clamp(static_cast<double>(size_bytes), 1., segment_bytes);
    parameters.segment_bytes = static_cast<std::uint64_t>(segment_bytes);
    const double room_bytes =
        links.port.queue_bytes > 0 ? links.port.queue_bytes : chunks_per_buffer * segment_bytes;
    if (!wide) {
        parameters.window = whole_chunks(share_alone * room_bytes, chunk);
        return parameters;
    }
    const Busy busy(links, clusters);
    const double local_bytes =
        room_bytes * (busy.backbone_is_narrowest() ? share_below_wide : share_beside_wide);
    parameters.window = whole_chunks(local_bytes, chunk);
    parameters.wide_window = whole_chunks(wide_bytes(links, clusters, busy, local_bytes), chunk);
    return parameters;
}

} // namespace alltold
