// SPDX-License-Identifier: BSD-3-Clause
// The backbone between clusters: moves packets from router to router at its rate and delay.
#pragma once

#include <vector>

#include "lab/options.hpp"
#include "lab/process.hpp"
#include "lab/state.hpp"

namespace alltold::lab {

/// Opens a tun interface called "wan0" in the network namespace `netns`.
Result<Fd> open_tun(int netns);

/// Relays packets forever: tuns[c] is the router of cluster c. A star: uplink queue, delay,
/// downlink queue. Raises its own priority if permitted.
[[noreturn]] void relay(const std::vector<Fd>& tuns, const Wan& wan, Shared& shared);

} // namespace alltold::lab
