// SPDX-License-Identifier: BSD-3-Clause
// The probes of queues: floods towards one port of the switch, and across the backbone.
#pragma once

#include "campaign/probe.hpp"

namespace alltold::measure {

/// TW99 section 3, network buffer: "we perform a set of tests which flood the router under
/// different duration, and record the percentage of packet arrival". All ranks of the point but
/// the last send `count` UDP packets of m bytes each to the last one, from an agreed instant on and
/// as fast as their own links carry them; a sample is the share that arrives, 0 to 1. UDP, since
/// MPI hides losses; over the addresses MPI uses. Where there are none, or UDP is blocked, the
/// share is 0. Lengths double until two of them lose more than a tenth, and end at 6 MiB a flood.
Probe flood_probe();

/// The same for what joins two clusters: each host of the first floods its own partner in the
/// second, so that no port carries more than one sender's packets.
Probe backbone_flood_probe();

} // namespace alltold::measure
