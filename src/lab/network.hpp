// SPDX-License-Identifier: BSD-3-Clause
// Wires the nodes of a lab: bridges, ports that drain at the NIC rate, routers, control network.
#pragma once

#include <vector>

#include "lab/node.hpp"
#include "lab/options.hpp"

namespace alltold::lab {

struct Network {
    Node wires;                ///< holds all bridges; its ports are "p-<host>" and "r-<cluster>"
    std::vector<Node> hosts;   ///< by rank
    std::vector<Node> routers; ///< by cluster; empty with one cluster
    std::vector<Fd> tuns;      ///< by cluster, from the routers to the backbone
};

/// Makes nodes, links, addresses, routes and queues; the calling process becomes the head node.
Result<Network> make_network(const LabOptions& options);

} // namespace alltold::lab
