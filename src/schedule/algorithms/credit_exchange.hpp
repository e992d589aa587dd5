// SPDX-License-Identifier: BSD-3-Clause
// All-to-all-v in segments, with credits granted by their receivers.
#pragma once

#include <cmath>

#include "core/limits.hpp"
#include "core/whole.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The inter-cluster messages that a rank in a cluster of `size` ranks may have in flight, if the
/// mean over all ranks is `mean`. All clusters get the same total, whatever their sizes. At least
/// 1; 0 (no limit) stays 0.
inline int own_inter_cluster_window(const Clusters& clusters, int size, int mean) {
    if (mean == 0)
        return 0;
    const double of_cluster = static_cast<double>(mean) * clusters.ranks() / clusters.count();
    return whole_between(std::round(of_cluster / size), 1, most_window);
}

/// One rank's schedule of an all-to-all-v with any matrix, under credit flow control.
///
/// - The first two segments of every block (between clusters: half of inter_cluster_window) need no
///   credit. Each further segment waits until the block in the opposite direction delivers the
///   segment that many places before it.
/// - Where the opposite block is too short, the receiver sends a signal instead. It sends as many
///   as keep at most parameters.window segments from its own cluster and inter_cluster_window from
///   other clusters on their way to its port.
/// - A segment to another cluster also waits for the segment received from other clusters
///   inter_cluster_window places before it, from any sender.
///
/// Hosts take turns in rotated order; blocks within a host go at once, whole and without credits.
/// inter_cluster_window is a mean: see own_inter_cluster_window. A window of 0 is no limit. Windows
/// also do not apply at a rank that receives few blocks, whose losses TCP recovers, or no more
/// bytes than the windows hold. A rank needs only its own row and column of the matrix, and no
/// order of arrival leads to a deadlock.
Schedule credit_exchange(const Task& task);

} // namespace alltold
