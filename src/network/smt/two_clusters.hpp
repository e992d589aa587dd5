// SPDX-License-Identifier: BSD-3-Clause
// The exchange over two clusters as SMT models it: plain and with LG (SMT, equations 6 and 7).
#pragma once

#include <algorithm>

#include "network/hockney/hockney.hpp"

namespace alltold {

/// Time of a plain all-to-all over clusters of n1 and n2 >= 1 processes, m bytes per pair: SMT
/// equation 6, max(T_C1, T_C2) + max(n1, n2)(alpha_w + beta_w m), with T_C the all-to-all within a
/// cluster and alpha_w, beta_w between clusters. The paper shows that it fails: it knows no
/// contention on the backbone. Kept for comparison.
inline double two_clusters_plain_time_s(double first_cluster_s, double second_cluster_s, int n1,
                                        int n2, const Hockney& inter_cluster, double size_bytes) {
    return std::max(first_cluster_s, second_cluster_s) +
           std::max(n1, n2) * inter_cluster.time_s(size_bytes);
}

/// Time of LG over clusters of n1 and n2 >= 1 processes, m bytes per pair: SMT equation 7,
/// max(T_C1, T_C2) + ceil(n2/n1)(alpha_w + beta_w m n1) with n1 <= n2 (the smaller one is taken as
/// C1), T_C being SMT07 equation 5 within a cluster. SMT07's equation 6 prints m n for m n1
/// (erratum: n1 blocks travel in one message). The local phase also collects what will cross,
/// which T_C as published does not count.
inline double two_clusters_lg_time_s(double first_cluster_s, double second_cluster_s, int n1,
                                     int n2, const Hockney& inter_cluster, double size_bytes) {
    const auto [smaller, larger] = std::minmax(n1, n2);
    const int steps = (larger + smaller - 1) / smaller;
    return std::max(first_cluster_s, second_cluster_s) +
           steps * inter_cluster.time_s(size_bytes * smaller);
}

} // namespace alltold
