// SPDX-License-Identifier: BSD-3-Clause
// Additional sizes where a curve bends.
#pragma once

#include <span>
#include <vector>

#include "campaign/policies/point_progress.hpp"

namespace alltold::campaign {

/// Points that refine the curves of `known`: for each pair, once all its points have three
/// samples, the middles of the intervals beside those points that the line between their neighbours
/// misses by more than a tenth and more than noise, the worst first, four at a time, at most twelve
/// in all. An interval is not halved below a tenth of its size and 128 bytes. `known` are points of
/// one probe. Changes of protocol are where curves bend most (Open MPI's eager limit on TCP is
/// 64 KiB).
std::vector<Point> bend_points(std::span<const PointProgress> known);

} // namespace alltold::campaign
