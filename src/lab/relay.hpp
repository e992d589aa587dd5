// SPDX-License-Identifier: BSD-3-Clause
// The process that forwards all packets of a lab, each when its last bit would arrive.
#pragma once

#include "lab/options.hpp"
#include "lab/packet_socket.hpp"
#include "lab/state.hpp"

namespace alltold::lab {

/// Forwards packets forever, as Switch says; `ports` has the switch port to each host.
/// Raises its own priority if permitted.
[[noreturn]] void relay(PacketSocket& ports, const LabOptions& options, Shared& shared);

} // namespace alltold::lab
