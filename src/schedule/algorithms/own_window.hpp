// SPDX-License-Identifier: BSD-3-Clause
// What a rank takes of a window that ranks of clusters of different sizes share.
#pragma once

#include <algorithm>
#include <cmath>

#include "topology/clusters.hpp"

namespace alltold {

/// Messages that a rank of a cluster of `size` ranks may have under way to other clusters where all
/// ranks together may have `mean` each: all clusters together the same, however many ranks they
/// have. At least 1; 0 (no limit) stays 0.
inline int own_inter_cluster_window(const Clusters& clusters, int size, int mean) {
    if (mean == 0)
        return 0;
    const double of_cluster = static_cast<double>(mean) * clusters.ranks() / clusters.count();
    return std::max(1, static_cast<int>(std::lround(of_cluster / size)));
}

} // namespace alltold
