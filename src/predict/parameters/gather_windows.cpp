// SPDX-License-Identifier: BSD-3-Clause
// Windows from a port's buffer and a backbone's delay.
#include "predict/parameters/gather_windows.hpp"

#include <algorithm>
#include <cmath>

#include "core/whole.hpp"
#include "network/cluster/equations.hpp"
#include "network/links/slow_start.hpp"

namespace alltold {
namespace {

/// `crossing` of the n - 1 senders are not on the root's host.
int intra_cluster_window(const Network& network, int n, int crossing, double size_bytes) {
    if (network.links && network.links->port.queue_bytes > 0) {
        const double buffer_bytes = network.links->port.queue_bytes;
        const int most = most_senders(1, 1, crossing, size_bytes, buffer_bytes);
        const int whole = whole_between(buffer_bytes / size_bytes, 1, crossing);
        const int window = std::max(sender_window(crossing, 1, most).value_or(1), whole);
        return window >= crossing ? n - 1 : window;
    }
    if (network.cluster && network.cluster->buffer_bytes > 0)
        return gather_window(*network.cluster, n, size_bytes).value_or(1);
    return 0;
}

/// Senders of another cluster that keep the root's share of its port busy while idle connections
/// start, as far as the backbone's queue holds what they send at once.
int inter_cluster_window(const LinkNetwork& links, const Clusters& clusters, double size_bytes) {
    const double flights =
        links.initial_window_bytes > 0 ? std::log2(1 + size_bytes / links.initial_window_bytes) : 0;
    const double start_s = round_trip_s(links) * (2 + flights);
    const double rate = links.port.goodput_bytes_per_s / (clusters.count() - 1);
    const double senders = 1 + std::ceil(rate * start_s / size_bytes);
    const double at_once_bytes =
        links.initial_window_bytes > 0
            ? std::min(size_bytes, std::max(links.initial_window_bytes, links.window_bytes))
            : size_bytes;
    const double held =
        links.backbone->queue_bytes > 0 ? links.backbone->queue_bytes / at_once_bytes : INFINITY;
    return whole_between(std::min(senders, held), 1, clusters.ranks() - 1);
}

} // namespace

Parameters gather_windows(const Network& network, const Algorithm& algorithm,
                          const Clusters& clusters, std::uint64_t size_bytes, int root) {
    Parameters windows;
    const int n = clusters.ranks();
    if (algorithm.window == Algorithm::Use::no || clusters.hosts() < 2 || size_bytes == 0)
        return windows;
    const int at = root > 0 && root < n ? root : 0;
    const int crossing = n - clusters.ranks_of_host(clusters.host_of(at));
    const auto size = static_cast<double>(size_bytes);
    windows.window = intra_cluster_window(network, n, crossing, size);
    if (windows.window == 0 || clusters.count() < 2 || !network.links || !network.links->backbone)
        return windows;
    const int inter_cluster = inter_cluster_window(*network.links, clusters, size);
    if (algorithm.inter_cluster_window != Algorithm::Use::no)
        windows.inter_cluster_window = inter_cluster;
    else
        windows.window = std::max(windows.window, inter_cluster);
    return windows;
}

} // namespace alltold
