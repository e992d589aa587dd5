// SPDX-License-Identifier: BSD-3-Clause
// The library's own collectives, as a campaign measured them.
#pragma once

#include <span>
#include <vector>

#include "predict/library_times.hpp"
#include "store/fit_campaign.hpp"

namespace alltold {

/// The median and its 95 % interval of every point of bcast, scatter, gather and alltoall by "mpi"
/// that may be looked at and has three repetitions or more; with fewer than six the interval is
/// from the smallest to the largest.
std::vector<LibraryTime> library_times(std::span<const PointSamples> points,
                                       const FitRequest& request);

} // namespace alltold
