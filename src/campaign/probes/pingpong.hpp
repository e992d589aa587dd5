// SPDX-License-Identifier: BSD-3-Clause
// The ping-pong probe between two ranks.
#pragma once

#include "campaign/probe.hpp"

namespace alltold::measure {

/// Half a round trip of a message of m bytes both ways, in seconds. Single round trips until the
/// connection is warm, then as many repetitions as asked for and as fit into the visit's share,
/// each the mean of as many round trips as fit into 2 ms, at most 10.
Probe pingpong_probe();

/// A visit of that kind, for probes that give ping-pongs another meaning.
Status visit_pingpong(Visit& visit);

} // namespace alltold::measure
