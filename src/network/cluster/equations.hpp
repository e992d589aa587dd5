// SPDX-License-Identifier: BSD-3-Clause
// The number of concurrent senders to one root, and the time of its gather (TW99, section 5).
#pragma once

#include "network/cluster/cluster_model.hpp"
#include "network/rounds.hpp"

// Deviation: the paper prints log2 p and uses powers of two; rounds are whole, so other p
// take the next whole number.

namespace alltold {

/// Fewest senders that keep the root's port busy: TW99 equation 5 (restored), ceil(g_s / g_r), for
/// gaps > 0.
int fewest_senders(double send_gap_s, double receive_gap_s);

/// Most of `senders` = p - 1 >= 1 processes, i > 0 items each, that may send at once without
/// overrunning a buffer of B items: TW99 equation 6 (restored), floor(g_s / g_r * k / (k - B)) with
/// k = senders * i, at most all; all where k <= B.
int most_senders(double send_gap_s, double receive_gap_s, int senders, double items_each,
                 double buffer_items);

/// The largest x in [fewest, most] that leaves a last window of none or at least `fewest` of the
/// senders: TW99 equation 7 with its erratum (a remainder of 0 is a full last window). Empty if
/// there is no such x; every window then either idles or loses packets.
std::optional<int> sender_window(int senders, int fewest, int most);

/// TW99 equations 5 to 7 for a gather of m >= 0 bytes from each of p >= 2 processes in packets of
/// at most the cluster's packet_bytes; the buffer is counted in whole packets, as B_L is. Empty if
/// there is no such window or the buffer is not known.
std::optional<int> gather_window(const ClusterModel& cluster, int p, double size_bytes);

/// Upper bound of a gather that neither idles nor loses, of i packets of m bytes from each of p >=
/// 1 processes: TW99 equation 8, C1 + (p-1) i D + C2. C1 = O_s + L (the first packet comes), C2 =
/// O_r + U_r (the last one is fetched), D the service time per item at the slower of the two stages
/// the paper names, port and receiving process: max(g_r, O_r + U_r).
double cluster_gather_s(const ClusterModel& cluster, int p, double items_each, double packet_bytes);

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
