// SPDX-License-Identifier: BSD-3-Clause
// How much slower the library's all-to-all is after a barrier where pairs of ranks exchange by
// rendezvous.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace alltold {

/// From the eager limit on, a rank that is late but already inside MPI finds the announcements of
/// its peers, and a library that posts receives before sends answers them first: the peer's data
/// then queues in front of the rank's own on the same connection, and the pair works one way at a
/// time (docs/measuring.md, "The start matters"). That costs a factor between 1, no pair, and 2,
/// all pairs all the time, whatever the switch buffers hold. It is the MPI library's, as a profile
/// is. What time exceeds twice the usual one is loss and time-outs, which come on top.
struct HalfDuplex {
    Estimate factor;      ///< from 1 to 2; the interval, of single calls, may end above 2
    int calls = 0;        ///< measured from both starts
    bool applies = false; ///< calls come out of a barrier (network_after)
};

/// The medians of one call of the library from both starts, with their 95 % intervals.
struct CallFromBothStarts {
    Estimate silence_s;
    Estimate barrier_s;
};

/// The median ratio of one call or more; its interval covers all of them, and with fewer than three
/// calls everything from 1 to 2.
HalfDuplex fit_half_duplex(std::span<const CallFromBothStarts> calls);

/// Lets calls of the library come out of a barrier, if the factor is known.
void start_after_barrier(Network& network);

/// The factor by which an all-to-all of the library with m = size_bytes takes longer than models
/// say that know single messages only: exactly 1 where calls do not come out of a barrier, and
/// where messages are not known to be longer than the eager limit.
Estimate half_duplex_factor(const Network& network, double size_bytes);

} // namespace alltold
