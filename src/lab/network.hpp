// SPDX-License-Identifier: BSD-3-Clause
// Wires the nodes of a lab: links from hosts to switch ports, and the control network; forwards
// their packets.
#pragma once

#include "lab/node.hpp"
#include "lab/packet_socket.hpp"
#include "lab/state.hpp"

namespace alltold::lab {

struct Network {
    Node wires;              ///< holds the switch ports, "p-<host>", and the control bridge
    std::vector<Node> hosts; ///< numbered as Clusters numbers them
    std::unique_ptr<PacketSocket> ports; ///< the switch ports, by host
};

/// Makes nodes, links, addresses and routes; the calling process becomes the head node.
Result<Network> make_network(const LabOptions& options);

/// Forwards packets forever, as Switch says; `ports` has the switch port to each host.
/// Raises its own priority if permitted.
[[noreturn]] void relay(PacketSocket& ports, const LabOptions& options, Shared& shared);

} // namespace alltold::lab
