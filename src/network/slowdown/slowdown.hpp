// SPDX-License-Identifier: BSD-3-Clause
// Bruck's slow-down factor (SMT07, section 2).
#pragma once

#include <algorithm>

#include "network/linear/linear.hpp"
#include "network/signature/alltoall_run.hpp"

namespace alltold {

/// Time of an all-to-all of n >= 1 processes, m bytes per pair, when the whole of the
/// contention-free time, start-ups too, is stretched by `slowdown` >= 1: Bruck et al. 1997 as cited
/// in SMT07 section 2, slowdown (n-1)(alpha + m beta).
inline double slowdown_time_s(const Hockney& network, double slowdown, int n, double size_bytes) {
    return slowdown * linear_time_s(network, n, size_bytes);
}

/// The slow-down of a run, at least 1, by its weights.
inline double fit_slowdown(const AlltoallRun& run) {
    const Eigen::VectorXd without_contention_s = run.bytes_s().array() + run.network.alpha_s;
    return std::max(1.0, run.fit.factor(run.message_s(), without_contention_s));
}

} // namespace alltold
