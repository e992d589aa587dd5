// SPDX-License-Identifier: BSD-3-Clause
// The exchange over clusters as SMT models it: plain and with LG (SMT, equations 6 and 7).
#pragma once

#include "network/cost_model.hpp"

// SMT has two clusters. For more, each of the other clusters adds its messages to those of a rank,
// one after the other, and the rank with the most of them ends last; with two, these are its own
// equations.

namespace alltold {

/// Time of a plain all-to-all, m bytes per pair: SMT equation 6, max(T_C1, T_C2) +
/// max(n1, n2)(alpha_w + beta_w m), with T_C the all-to-all within a cluster, `slowest_s` the
/// largest of them, and alpha_w, beta_w between clusters. The paper shows that it fails: it knows
/// no contention on the backbone. Kept for comparison.
inline double plain_time_s(double slowest_s, const Clusters& clusters, const Hockney& inter_cluster,
                           double size_bytes) {
    const int most = clusters.ranks() - std::ranges::min(clusters.sizes());
    return slowest_s + (clusters.count() > 1 ? most * inter_cluster.time_s(size_bytes) : 0);
}

/// Time of LG, m bytes per pair: SMT equation 7, max(T_C1, T_C2) + ceil(n2/n1)(alpha_w + beta_w m
/// n1) with n1 <= n2, T_C being SMT07 equation 5 within a cluster. SMT07's equation 6 prints m n
/// for m n1 (erratum: n1 blocks travel in one message). The local phase also collects what will
/// cross, which T_C as published does not count.
inline double lg_time_s(double slowest_s, const Clusters& clusters, const Hockney& inter_cluster,
                        double size_bytes) {
    double longest_s = 0;
    for (int own = 0; own < clusters.count(); ++own) {
        double sum_s = 0;
        for (int other = 0; other < clusters.count(); ++other) {
            const auto [smaller, larger] = std::minmax({clusters.size(own), clusters.size(other)});
            if (other != own)
                sum_s +=
                    (larger + smaller - 1) / smaller * inter_cluster.time_s(size_bytes * smaller);
        }
        longest_s = std::max(longest_s, sum_s);
    }
    return slowest_s + longest_s;
}

/// Time of the library's all-to-all over all ranks of `clusters`, m >= 0 bytes per pair, with
/// `model` (which has library_in_cluster and lacks nothing) in each cluster: on several by SMT
/// equation 6, and its ends where all networks are at the ends of their intervals. There the
/// network must have an inter_cluster.
Estimate library_time_by_clusters(const Network& network, const Clusters& clusters,
                                  double size_bytes, const CostModel& model);

} // namespace alltold
