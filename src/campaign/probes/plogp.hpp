// SPDX-License-Identifier: BSD-3-Clause
// The probes of pLogP: o_s(m), o_r(m), g(m) as curves, and the round trip that L comes from.
//
// Kielmann, Bal and Verstoep 2000, "Fast measurement of LogP parameters for message passing
// platforms", whose parameters BM04 uses; between two hosts of one cluster. Deviations: g(m) is
// measured by saturation at every size, where they do so for the smallest message and derive the
// others from round trips; and a size interval is halved where the line between its neighbours
// misses a point, where they extrapolate from the two smaller sizes. Before a pair's first
// samples 4 MiB are sent, so that the kernel's buffers have grown; even so a send call's time
// beyond the eager limit depends on what the connection has carried before.
#pragma once

#include "campaign/probe.hpp"

namespace alltold::measure {

/// "plogp.send", o_s(m): seconds a blocking standard send of m bytes takes, on an idle network:
/// each waits for the receiver's sign that the one before has come. A message beyond the library's
/// eager limit is sent only once the receiver takes it, and o_s holds that.
Probe plogp_send_probe();

/// "plogp.receive", o_r(m): seconds a blocking receive takes when the message is there already. The
/// receiver asks for it, sleeps for 1.5 times what asking and receiving takes, and 1 ms, and then
/// receives; what the library does only when called, as beyond the eager limit, is in it.
Probe plogp_receive_probe();

/// "plogp.gap", g(m): seconds a message of a long train takes, all messages sent at once and the
/// last one acknowledged: the difference of two trains, one twice as long as the other, over that
/// of their lengths, so that latency and start-up cancel. Trains are doubled until the mean time of
/// a message is steady to 5 % and a train takes 3 ms, or the longer train takes 0.25 s or has 512
/// messages; the means up to there are the warm-ups. Where noise exceeds the difference the mean of
/// the longer train is the sample.
Probe plogp_gap_probe();

/// "plogp.round_trip": seconds, half a round trip of 1 byte: L + g(1) by RTT(m) = 2 (L + g(m)).
Probe plogp_round_trip_probe();

/// Points that make the curves of `known` better: for each pair's, once all its points have three
/// samples, the middles of the intervals beside those points that the line between their neighbours
/// misses by more than a tenth and more than noise, the worst first, four at a time, at most twelve
/// in all. An interval is not halved below a tenth of its size and 128 bytes. `known` are points of
/// one probe. Changes of protocol are where curves bend most (Open MPI's eager limit on TCP is
/// 64 KiB).
std::vector<Point> bend_points(std::span<const Pace> known);

} // namespace alltold::measure
