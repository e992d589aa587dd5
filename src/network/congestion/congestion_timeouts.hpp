// SPDX-License-Identifier: BSD-3-Clause
// Which repetitions a time-out ended, how often that happens, and how long a time-out is.
#pragma once

#include <span>
#include <vector>

#include "network/congestion/congestion_core.hpp"
#include "network/congestion/congestion_fit.hpp"

namespace alltold {

/// The points without time-outs: medians of the repetitions that more likely than not did not end
/// with one. Sets `fit.timeouts`, `fit.timeout_s` and `fit.spread` on the way: expectation and
/// maximisation in turn, over the single times below M and from M on (below M, where fit.form does
/// not slow). The time-out's length is the most likely one between once and twice `least_timeout_s`
/// where at least three were seen, else 1.1 times that.
std::vector<CorePoint> fit_timeouts(CongestionFit& fit, std::span<const CongestedSeries> measured,
                                    double least_timeout_s);

} // namespace alltold
