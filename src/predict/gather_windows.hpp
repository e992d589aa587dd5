// SPDX-License-Identifier: BSD-3-Clause
// How many may send to the root of a windowed gather at once.
#pragma once

#include "network/network.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// The windows that `algorithm`, a gather, takes for blocks of size_bytes on `clusters`; 0 where it
/// takes none or nothing is known.
///
/// Towards the root's port as many as its buffer holds whole messages of: sends are synchronous, so
/// that no more is under way; at least TW99's equation 7, which is for sends that only leave, and
/// stands alone where the buffer is known from the cluster model. From other clusters, and for all
/// where there is one window for near and far, as many as keep the port busy while one starts: word
/// that another is done, request and grant are two round trips, and TCP begins a message with ten
/// packets and doubles them every round trip. The same on every rank that knows the same network.
Parameters gather_windows(const Network& network, const Algorithm& algorithm,
                          const Clusters& clusters, std::uint64_t size_bytes);

} // namespace alltold
