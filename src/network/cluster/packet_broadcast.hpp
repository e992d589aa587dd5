// SPDX-License-Identifier: BSD-3-Clause
// A long broadcast, packet after packet down a tree (TW99, section 4).
#pragma once

#include "network/cluster/cluster_model.hpp"
#include "network/rounds.hpp"

// Deviation: the paper prints log2 p and uses powers of two; rounds are whole, so other p
// take the next whole number.

namespace alltold {

/// k >= 1 packets to p >= 1 processes that cannot send while they receive: TW99 equation 2,
/// (k-1)(ceil(log2(p/2)) g_s + O_r + U_r) + log2(p)(O_s + L + O_r + U_r), each of m bytes.
inline double cluster_broadcast_s(const ClusterModel& cluster, int p, double packets,
                                  double packet_bytes) {
    if (p < 2)
        return 0;
    const double receiving_s = cluster.O_r(packet_bytes) + cluster.U_r_s;
    const double hop_s = cluster.O_s(packet_bytes) + cluster.L_s(packet_bytes, p) + receiving_s;
    return (packets - 1) * ((log2_up(p) - 1) * cluster.g_s(packet_bytes) + receiving_s) +
           log2_up(p) * hop_s;
}

} // namespace alltold
