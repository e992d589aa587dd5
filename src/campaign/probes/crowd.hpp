// SPDX-License-Identifier: BSD-3-Clause
// The probes of many hosts at once: several senders on one receiver, several pairs, several flows.
#pragma once

#include "campaign/probe.hpp"

namespace alltold::measure {

/// g_r(m), TW99 section 3: "converge multiple streams of data to a single receiver". All ranks of
/// the point but the first send `count` messages each to the first from an agreed instant on; a
/// sample is the time until it has them all. Two counts a size, whose difference leaves the gap
/// between receptions. Up to 16 KiB and three senders, since more bytes at once would measure loss.
Probe converge_probe();

/// L(m, p), TW99 section 3: ping-pongs of p/2 pairs at once. A sample is the mean over the pairs of
/// half a round trip; the fit takes O_s, O_r and U_r off.
Probe pairs_probe();

/// What the backbone carries: hosts of one cluster send `count` messages of m bytes each to their
/// partners in another, as many at once as the point has pairs; seconds until the last has them.
/// Two counts a number of flows, whose difference leaves the rate; when it falls with more flows
/// the backbone degrades.
Probe flows_probe();

} // namespace alltold::measure
