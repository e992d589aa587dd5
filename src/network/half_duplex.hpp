// SPDX-License-Identifier: BSD-3-Clause
// How much slower the library's all-to-all is after a barrier where pairs of ranks exchange by
// rendezvous.
#pragma once

#include "core/statistics.hpp"

namespace alltold {

struct Network;

/// From the eager limit on, a rank that is late but already inside MPI finds the announcements of
/// its peers, and a library that posts receives before sends answers them first: the peer's data
/// then queues in front of the rank's own on the same connection, and the pair transfers in one
/// direction at a time (docs/measuring.md, "The start matters"). That costs a factor between 1 (no
/// pair is affected) and 2 (all pairs, all the time), whatever the switch buffers hold. The factor
/// is a property of the MPI library. A time beyond twice the usual one is due to loss and
/// time-outs, which are not part of the factor.
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

/// The factor by which the library's all-to-all with m = size_bytes takes longer than models of
/// single messages predict: exactly 1 if calls do not come out of a barrier, or if messages are not
/// known to exceed the eager limit.
Estimate half_duplex_factor(const Network& network, double size_bytes);

} // namespace alltold
