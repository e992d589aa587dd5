// SPDX-License-Identifier: BSD-3-Clause
// Trips between two ranks, for every probe that times them.
#pragma once

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

/// Round trips of `there_bytes` one way and one byte back.
struct RoundTrips {
    std::size_t there_bytes = 1; ///< at least 1
    double enough_s = 50e-3;     ///< no further round trip after this time,
    int least = 3;               ///< but at least this many,
    int most = 30;               ///< and at most this many
};

/// First rank of a pair: seconds of the quickest round trip to rank `with`, which calls
/// answer_trips with the same arguments. The first byte marks the last trip. Errors: MPI's own.
Result<double> least_trip_s(const mpi::ManagedCommunicator& over, int with, int tag,
                            const RoundTrips& trips);

/// The second rank's side.
Status answer_trips(const mpi::ManagedCommunicator& over, int with, int tag,
                    const RoundTrips& trips);

} // namespace alltold::campaign
