// SPDX-License-Identifier: BSD-3-Clause
// The plain exchange over two clusters as SMT models it (SMT, equation 6).
#pragma once

#include <algorithm>

#include "model/hockney.hpp"

namespace alltold {

/// Time of a plain all-to-all over clusters of n1 and n2 >= 1 processes, m bytes per pair: SMT
/// equation 6, max(T_C1, T_C2) + max(n1, n2)(alpha_w + beta_w m), with T_C the all-to-all within a
/// cluster and alpha_w, beta_w between clusters. The paper shows that it fails: it knows no
/// contention on the backbone. Kept for comparison.
inline double two_clusters_plain_time_s(double first_cluster_s, double second_cluster_s, int n1,
                                        int n2, const Hockney& wide, double size_bytes) {
    return std::max(first_cluster_s, second_cluster_s) + std::max(n1, n2) * wide.time_s(size_bytes);
}

} // namespace alltold
