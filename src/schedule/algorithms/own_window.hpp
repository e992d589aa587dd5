// SPDX-License-Identifier: BSD-3-Clause
// One rank's share of an inter-cluster window, for clusters of different sizes.
#pragma once

#include <cmath>

#include "core/limits.hpp"
#include "core/whole.hpp"
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

} // namespace alltold
