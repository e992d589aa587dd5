// SPDX-License-Identifier: BSD-3-Clause
// Trips between two ranks, for every probe that times them.
#pragma once

#include <cstddef>
#include <span>

#include "campaign/engine/context.hpp"

namespace alltold::campaign {

/// Half a round trip of a message of m bytes both ways, in seconds. Single round trips until the
/// connection is warm, then as many repetitions as asked for and as fit into the limit, each the
/// mean of as many round trips as fit into 2 ms, at most 10.
Status measure_round_trips(Context& context);

/// Sends the message `ball` to rank `other` of the world and back `trips` times; the rank with
/// `first` begins. Returns seconds of half a round trip, on both ranks. Fails as MPI does.
Result<double> half_trip_with(const Context& context, int other, bool first,
                              std::span<std::byte> ball, int trips);

} // namespace alltold::campaign
