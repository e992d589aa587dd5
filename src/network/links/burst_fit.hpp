// SPDX-License-Identifier: BSD-3-Clause
// The burst that a link passes after a pause, from ping-pongs and the rate of trains.
#pragma once

#include <span>

#include "network/series.hpp"

namespace alltold {

/// Payload bytes. If a token bucket shapes the link, a message after a pause takes as long as if it
/// had that many bytes less at the rate of trains, whatever its length. `pingpongs` are one-way
/// times between hosts of one cluster. 0 where at least three sizes do not agree on it, as without
/// a token bucket.
double fit_burst_bytes(std::span<const Series> pingpongs, double goodput_bytes_per_s);

} // namespace alltold
