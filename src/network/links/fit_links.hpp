// SPDX-License-Identifier: BSD-3-Clause
// Ports, their queues and the backbone, from a campaign's samples.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

/// Queue bytes of a flood's packet: UDP's payload of a full Ethernet frame, and headers of UDP, IP
/// and Ethernet.
constexpr double flood_packet_bytes = 1472 + 8 + 20 + 14;

/// Sets `network.links` from trains, floods and flows, once `local` and `inter_cluster` are there:
/// the port's goodput from trains (without them there are no links), its burst from ping-pongs
/// beside those, start-ups from send calls, else from pLogP, its queue and the backbone's from
/// floods (fit_buffer; D/A times what the senders' ports carry is the backbone's goodput),
/// latencies from ping-pongs. Refuses by name each parameter that cannot be found.
void fit_links(Fitting& fitting);

} // namespace alltold
