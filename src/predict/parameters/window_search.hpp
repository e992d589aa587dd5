// SPDX-License-Identifier: BSD-3-Clause
// Windows found by prediction: the paced exchange's, with its segments, and gathers'.
#pragma once

#include "predict/parameters/parameter_search.hpp"

namespace alltold {

/// The windows that `algorithm`, a gather, takes for blocks of size_bytes on `clusters`; 0 where it
/// takes none or nothing is known.
///
/// The intra-cluster window is the number of whole messages that the buffer of the root's port
/// holds: sends are synchronous, so no more data is in flight. It is at least TW99's equation 7,
/// which assumes buffered sends and applies alone if only the cluster model knows the buffer. The
/// inter-cluster window is the number of senders that keep the port busy while one of them starts:
/// completion, request and credit take two round trips, and TCP starts a message with ten packets
/// and doubles them every round trip; no more than a known queue of the backbone holds at once. An
/// algorithm with a single window takes the larger one. The ranks of the root's own host do not
/// cross its port: where all others may send at once, all may. The same on every rank that knows
/// the same network. A `root` that is no rank counts as 0.
Parameters gather_windows(const Network& network, const Algorithm& algorithm,
                          const Clusters& clusters, std::uint64_t size_bytes, int root = 0);

/// Segment and windows of a paced exchange across clusters with which it takes least such time and
/// overflows nothing, as far as simulations tell. Tries it without limits, as `given`, and descends
/// from packets that take turns without limits and from limited_pace, also with other segments and
/// fewer in flight within clusters. limited_pace where all overflow. About thirty simulations of a
/// few thousand messages each. The same on every rank that knows the same network.
Parameters find_pace(const SearchedCall& call, const Parameters& given);

/// The windows of a gather: those of gather_windows, or less where these overflow queues or nearly
/// do, as far as simulations tell.
Parameters find_gather_windows(const SearchedCall& call, const Parameters& start);

} // namespace alltold
