// SPDX-License-Identifier: BSD-3-Clause
// Finds the host that an Ethernet frame is for and addresses the frame to it, as a router would.
#pragma once

#include <span>

#include "topology/clusters.hpp"

namespace alltold::lab {

constexpr int ethernet_bytes = 14; ///< header of a frame

/// The host with the frame's IPv4 destination (see data_address), or -1 if there is none.
int target_of(std::span<const unsigned char> frame, const Clusters& clusters);

/// Sets the frame's hardware addresses: from the gateway of the target's cluster to the target.
void readdress(std::span<unsigned char> frame, const Clusters& clusters, int target);

} // namespace alltold::lab
