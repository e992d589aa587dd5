// SPDX-License-Identifier: BSD-3-Clause
// Ports, their queues and the backbone, from a campaign's samples.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

/// Sets `network.links` from trains, floods and flows, once `local` and `inter_cluster` are there:
/// the port's goodput as fit_port does, its burst from ping-pongs beside that, start-ups from send
/// calls, else from pLogP, its queue from floods, its latency from ping-pongs, TCP's segments as
/// fit_mss_bytes does, the backbone as
/// fit_paths does, the memory of hosts as fit_memory does. Refuses by name each parameter that
/// cannot be found.
void fit_links(Fitting& fitting);

} // namespace alltold
