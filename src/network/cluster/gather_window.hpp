// SPDX-License-Identifier: BSD-3-Clause
// The number of concurrent senders to one root, and the time of its gather (TW99, section 5).
#pragma once

#include <optional>

#include "network/cluster/cluster_model.hpp"

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

} // namespace alltold
