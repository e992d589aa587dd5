// SPDX-License-Identifier: BSD-3-Clause
// Checks whether the reference run saturated the network, unlike the papers' Myrinet run.
#pragma once

#include "network/fit/cells.hpp"
#include "network/signature/signature_fit.hpp"

namespace alltold {

struct SaturationVerdict {
    Saturation saturation = Saturation::unknown;
    std::string reason; ///< one sentence, with the numbers it rests on
    /// d log T / d log n beyond the largest n at most, where not saturated: 95 % of the larger
    /// growth of gamma and delta.
    double growth = 0;
};

/// Compares gamma of the largest n, and delta apart from it, with those of the largest one at least
/// a tenth below it (the smallest if none is): T/(n-1) - alpha = m beta gamma + [m >= M] delta is
/// fitted at each over the sizes both have at which the start-up time is at most half of a
/// message's. An effective gamma that included delta would hide the growth of gamma behind a
/// constant delta. `by_n` holds the cells of each n >= 2, one n or more; M is `threshold_bytes`, 0
/// where no size pays.
SaturationVerdict judge_saturation(const std::map<int, std::vector<Cell>>& by_n,
                                   const Hockney& network, double threshold_bytes);

} // namespace alltold
