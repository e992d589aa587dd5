// SPDX-License-Identifier: BSD-3-Clause
// Halving, then hill-climbing; or descent alone.
#include "predict/parameters/segment_search.hpp"

namespace alltold {
namespace {

/// Takes the segment if it is quicker; whether it is.
bool improves(SegmentChoice& best, std::uint64_t segment,
              const std::function<double(std::uint64_t)>& time_s) {
    const double tried_s = time_s(segment);
    if (!(tried_s < best.time_s))
        return false;
    best = {segment, tried_s};
    return true;
}

} // namespace

SegmentChoice search_segment(std::uint64_t size_bytes,
                             const std::function<double(std::uint64_t)>& time_s,
                             std::uint64_t least_bytes) {
    assert(1 <= least_bytes && least_bytes <= size_bytes);
    SegmentChoice best{size_bytes, time_s(size_bytes)};
    for (auto segment = size_bytes / 2; segment >= least_bytes; segment /= 2)
        if (const double halved_s = time_s(segment); halved_s < best.time_s)
            best = {segment, halved_s};

    const auto try_size = [&](std::uint64_t segment) { return improves(best, segment, time_s); };
    // One optimum lies between half and twice the best fraction, so a few steps of each width do.
    for (auto step = std::max<std::uint64_t>(best.segment_bytes / 2, 1); step >= 1; step /= 2)
        for (int moves = 0; moves < 3; ++moves)
            if (!(best.segment_bytes >= step + least_bytes &&
                  try_size(best.segment_bytes - step)) &&
                !(best.segment_bytes + step <= size_bytes && try_size(best.segment_bytes + step)))
                break;
    return best;
}

SegmentChoice descend_segment(std::uint64_t size_bytes, std::uint64_t start_bytes,
                              const std::function<double(std::uint64_t)>& time_s,
                              std::uint64_t least_bytes, std::uint64_t unit_bytes) {
    assert(1 <= least_bytes && least_bytes <= size_bytes);
    const auto usable = [&](std::uint64_t segment) {
        return segment < size_bytes ? std::min(in_units(segment, unit_bytes), size_bytes)
                                    : size_bytes;
    };
    start_bytes = std::clamp(start_bytes, least_bytes, size_bytes);
    SegmentChoice best{usable(start_bytes), time_s(usable(start_bytes))};
    // Whether to continue.
    const auto try_size = [&](std::uint64_t segment) { return improves(best, segment, time_s); };
    const auto start = best.segment_bytes;
    for (auto half = start_bytes; half > least_bytes;) {
        half = std::max(half / 2, least_bytes);
        if (usable(half) < best.segment_bytes && !try_size(usable(half)))
            break;
    }
    if (best.segment_bytes == start)
        for (auto twice = start_bytes; twice < size_bytes;) {
            twice = std::min(2 * twice, size_bytes);
            if (usable(twice) > best.segment_bytes && !try_size(usable(twice)))
                break;
        }
    return best;
}

std::uint64_t packet_payload_bytes(const Network& network) {
    const auto whole = [](double bytes) {
        return whole_between<std::uint64_t>(bytes, 1, most_size_bytes);
    };
    const bool packets_known =
        network.cluster && network.cluster->packet_bytes > message_headers_bytes;
    if (packets_known) {
        const auto& cluster = *network.cluster;
        if (cluster.packets_of(cluster.packet_bytes + 1).count > 1)
            return whole(cluster.packet_bytes);
    }
    if (network.links && network.links->mss_bytes > mpi_header_bytes)
        return whole(network.links->mss_bytes - mpi_header_bytes);
    return packets_known ? whole(network.cluster->packet_bytes - message_headers_bytes)
                         : ethernet_payload_bytes;
}

std::uint64_t segment_unit_bytes(const Network& network, std::uint64_t size_bytes) {
    constexpr std::uint64_t most_packets_in_halves = 4;
    const auto packet = packet_payload_bytes(network);
    const bool headers_count = network.links && network.links->mss_bytes > 0;
    return headers_count && size_bytes <= most_packets_in_halves * packet
               ? std::max<std::uint64_t>(packet / 2, 1)
               : packet;
}

std::uint64_t in_units(std::uint64_t segment_bytes, std::uint64_t unit_bytes) {
    return std::max<std::uint64_t>((segment_bytes + unit_bytes / 2) / unit_bytes, 1) * unit_bytes;
}

std::uint64_t in_doubled_units(std::uint64_t segment_bytes, std::uint64_t unit_bytes) {
    const auto units = in_units(segment_bytes, unit_bytes) / unit_bytes;
    return unit_bytes << std::lround(std::log2(static_cast<double>(units)));
}

} // namespace alltold
