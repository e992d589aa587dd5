// SPDX-License-Identifier: BSD-3-Clause
// The best segment size under any cost (BM04, section 3).
#pragma once

#include "network/network.hpp"

namespace alltold {

struct SegmentChoice {
    std::uint64_t segment_bytes = 0;
    double time_s = 0;
};

/// The segment of least_bytes (at least 1) .. size_bytes bytes for which `time_s` is least, as BM04
/// searches it: every s = m / 2^i, then local hill-climbing from the best of them (Kielmann et al.
/// 2000). Never worse than any m / 2^i, and the optimum where time_s falls strictly up to one size
/// and grows strictly beyond. About 3 log2(m) calls, at most 7 log2(m) + 8.
SegmentChoice search_segment(std::uint64_t size_bytes,
                             const std::function<double(std::uint64_t segment_bytes)>& time_s,
                             std::uint64_t least_bytes = 1);

/// The same in few calls, for a cost that is expensive to evaluate: descends from start_bytes by
/// halving or doubling until the cost rises, between least_bytes and size_bytes. Every size tried
/// is start_bytes times a power of two in units (in_units), or either limit.
SegmentChoice descend_segment(std::uint64_t size_bytes, std::uint64_t start_bytes,
                              const std::function<double(std::uint64_t segment_bytes)>& time_s,
                              std::uint64_t least_bytes, std::uint64_t unit_bytes);

/// What a segment of MPI over TCP holds when it fills an Ethernet packet of 1500 bytes: 1448 bytes
/// less MPI's own header, which is some tens of bytes. For networks whose packets are not known.
inline constexpr auto ethernet_payload_bytes =
    static_cast<std::uint64_t>(ethernet_segment_bytes - mpi_header_bytes);

/// The bytes of a segment that fills a packet of this network: a whole packet of the cluster model
/// if its parameters are those of packets, else TCP's payload of a packet, as measured, less MPI's
/// header, else the cluster model's packet less the headers of frame, TCP and MPI.
std::uint64_t packet_payload_bytes(const Network& network);

/// Segments of a message are multiples of this: a packet, or of messages up to four packets half of
/// one where links are known and thus what headers cost. Half packets took 0.91 times as long as
/// whole ones of messages up to two packets, 0.96 up to four and 1.03 of longer ones (medians;
/// docs/results/regret.md).
std::uint64_t segment_unit_bytes(const Network& network, std::uint64_t size_bytes);

/// The nearest multiple of `unit_bytes`, at least one. A segment of 2 KiB sends the headers of two
/// packets and fills one and a half, and a pipeline waits at each hop for packets, not for bytes.
std::uint64_t in_units(std::uint64_t segment_bytes, std::uint64_t unit_bytes);

/// The nearest power of two of units.
std::uint64_t in_doubled_units(std::uint64_t segment_bytes, std::uint64_t unit_bytes);

} // namespace alltold
