// SPDX-License-Identifier: BSD-3-Clause
// L(m, p) by bilinear regression.
#pragma once

#include "network/cluster/cluster_model.hpp"

namespace alltold {

struct TransferFit {
    LoadedTransfer transfer;
    double residual_relative = 0; ///< root mean square of what is left, over the measured times
};

/// L(m, p) of TW99 section 3, in the form of its Table 1, from half round trips of p/2 pairs at
/// once (Series::n is p): O_s(m), O_r(m) and U_r of `known` are taken off, then base, per_process
/// and beta are fitted by least squares of relative errors, L(0, 2) >= 0, and the switch's capacity
/// is chosen from the loads measured, or left out where it explains no more than chance would;
/// g_s(m) of `known` goes into the load. Where the overheads exceed the measured time, 0 remains.
/// Refuses (status `no`), naming the reason, fewer than three sizes or two process counts, fewer
/// than three repetitions, times that are not positive and finite, overheads that exceed the
/// measured times at many points, and times that no such form distinguishes from noise.
Result<TransferFit> fit_transfer(std::span<const Series> pairs, const ClusterModel& known);

} // namespace alltold
