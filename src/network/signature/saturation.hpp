// SPDX-License-Identifier: BSD-3-Clause
// Checks whether the reference run saturated the network, unlike the papers' Myrinet run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "network/fit/cells.hpp"
#include "network/hockney/hockney.hpp"
#include "network/signature/signature_fit.hpp"

namespace alltold {

struct SaturationVerdict {
    Saturation saturation = Saturation::unknown;
    std::string reason; ///< one sentence, with the numbers it rests on
};

/// Compares the effective gamma, (T/(n-1) - alpha) / (m beta), of the largest n with that of the
/// largest one at least a tenth below it (the smallest if none is), over the sizes both
/// have at which the start-up time is at most half of a message's. `by_n` holds the cells of each n
/// >= 2, one n or more.
SaturationVerdict judge_saturation(const std::map<int, std::vector<Cell>>& by_n,
                                   const Hockney& network);

} // namespace alltold
