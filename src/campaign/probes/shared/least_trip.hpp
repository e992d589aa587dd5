// SPDX-License-Identifier: BSD-3-Clause
// The least of a few round trips between two ranks, without a warm-up.
#pragma once

#include <cstddef>

#include "runtime/mpi/managed_communicator.hpp"

namespace alltold::campaign {

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
