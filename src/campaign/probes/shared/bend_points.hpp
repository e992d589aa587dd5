// SPDX-License-Identifier: BSD-3-Clause
// Further points of a curve: where it bends, and at longer messages on a fast network.
#pragma once

#include "campaign/policies/point_progress.hpp"

namespace alltold::campaign {

/// Points that refine the curves of `known`: for each pair, once all its points have three
/// samples, the middles of the intervals beside those points that the line between their neighbours
/// misses by more than a tenth and more than noise, the worst first, four at a time, at most twelve
/// in all. An interval is not halved below a tenth of its size and 128 bytes. `known` are points of
/// one probe. Changes of protocol are where curves bend most (Open MPI's eager limit on TCP is
/// 64 KiB).
std::vector<Point> bend_points(std::span<const PointProgress> known);

/// For each pair of `known`, all points of one probe: four times the largest size (up to 256 KiB)
/// if a repetition of that should take 50 ms at most.
std::vector<Point> longer_messages(std::span<const PointProgress> known);

/// Four times the count of messages of the pair's largest size, up to 4 MiB and 0.25 s.
std::vector<Point> longer_trains(std::span<const PointProgress> known);

} // namespace alltold::campaign
