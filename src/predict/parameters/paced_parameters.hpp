// SPDX-License-Identifier: BSD-3-Clause
// Segment and windows of the paced exchange, found from the network.
#pragma once

#include "predict/parameters/segment_search.hpp"

namespace alltold {

/// In bytes, whole packets of `payload_bytes`: several fit in a port's buffer, so that those of two
/// senders that meet there do not overflow it.
double longest_paced_segment(const LinkNetwork& links, double payload_bytes);

/// Whether ports and the backbone's queue hold all blocks of size_bytes whatever the order in which
/// they are sent.
bool holds_all(const LinkNetwork& links, const Clusters& clusters, std::uint64_t size_bytes);

/// Parameters of alltoall.paced for blocks of size_bytes on `links`; without clusters. None where
/// queues hold all (holds_all), else those of limited_pace. The same on every rank that knows the
/// same network.
Parameters paced_parameters(const LinkNetwork& links, const Clusters& clusters,
                            std::uint64_t size_bytes,
                            std::uint64_t payload_bytes = ethernet_payload_bytes);

/// Segments and a window that together stay within the buffer of a port, and a window between
/// clusters that keeps the backbone busy without overflowing its queue. A port whose queue has 0
/// bytes never loses and gets the longest segments. Segments are whole packets of `payload_bytes`.
/// Ranks of one host share its port's window (shared_by).
Parameters limited_pace(const LinkNetwork& links, const Clusters& clusters,
                        std::uint64_t size_bytes,
                        std::uint64_t payload_bytes = ethernet_payload_bytes);

/// A port's segment and windows, of blocks of size_bytes, as each of its host's `ranks` takes them:
/// its part of the window's bytes, as eight segments of whole packets, fewer of one packet, or one
/// of half a packet; and its part of what the window between clusters has in flight. With few long
/// segments a rank whose partner is late leaves the port idle. The same for one rank, and without a
/// window.
Parameters shared_by(int ranks, Parameters parameters, std::uint64_t size_bytes,
                     std::uint64_t payload_bytes = ethernet_payload_bytes);

} // namespace alltold
