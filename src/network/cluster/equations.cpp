// SPDX-License-Identifier: BSD-3-Clause
#include "network/cluster/equations.hpp"

namespace alltold {

int fewest_senders(double send_gap_s, double receive_gap_s) {
    assert(send_gap_s > 0 && receive_gap_s > 0);
    return whole_between(std::ceil(send_gap_s / receive_gap_s), 1, 1 << 30);
}

int most_senders(double send_gap_s, double receive_gap_s, int senders, double items_each,
                 double buffer_items) {
    assert(send_gap_s > 0 && receive_gap_s > 0 && senders >= 1);
    const double items = senders * items_each;
    if (items <= buffer_items)
        return senders;
    const double most = std::floor(send_gap_s / receive_gap_s * items / (items - buffer_items));
    return whole_between(most, 0, senders);
}

std::optional<int> sender_window(int senders, int fewest, int most) {
    for (int x = std::min(most, senders); x >= std::max(fewest, 1); --x)
        if (const int rest = senders % x; rest == 0 || rest >= fewest)
            return x;
    return std::nullopt;
}

std::optional<int> gather_window(const ClusterModel& cluster, int p, double size_bytes) {
    if (cluster.buffer_bytes <= 0 || cluster.packet_bytes <= 0 || p < 2)
        return std::nullopt;
    const double packet_bytes = std::clamp(size_bytes, 1.0, cluster.packet_bytes);
    const double send_gap_s = cluster.g_s(packet_bytes), receive_gap_s = cluster.g_r(packet_bytes);
    if (send_gap_s <= 0 || receive_gap_s <= 0)
        return std::nullopt;
    const double items_each = std::max(1.0, std::ceil(size_bytes / cluster.packet_bytes));
    const double buffer_items = cluster.buffer_bytes / cluster.packet_bytes;
    return sender_window(p - 1, fewest_senders(send_gap_s, receive_gap_s),
                         most_senders(send_gap_s, receive_gap_s, p - 1, items_each, buffer_items));
}

double cluster_gather_s(const ClusterModel& cluster, int p, double items_each,
                        double packet_bytes) {
    if (p < 2)
        return 0;
    const double fetching_s = cluster.O_r(packet_bytes) + cluster.U_r_s;
    const double first_s = cluster.O_s(packet_bytes) + cluster.L_s(packet_bytes, p);
    const double each_s = std::max(cluster.g_r(packet_bytes), fetching_s);
    return first_s + (p - 1) * items_each * each_s + fetching_s;
}

} // namespace alltold
