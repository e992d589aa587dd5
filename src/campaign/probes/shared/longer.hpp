// SPDX-License-Identifier: BSD-3-Clause
// Longer messages for a rough measurement on a fast network.
#pragma once

#include <span>
#include <vector>

#include "campaign/policies/point_progress.hpp"

namespace alltold::campaign {

/// For each pair of `known`, all points of one probe: four times the largest size (up to 256 KiB)
/// if a repetition of that should take 50 ms at most.
std::vector<Point> longer_messages(std::span<const PointProgress> known);

/// The same for the count of messages of the pair's largest size, up to 4 MiB and 0.25 s.
std::vector<Point> longer_trains(std::span<const PointProgress> known);

} // namespace alltold::campaign
