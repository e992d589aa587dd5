// SPDX-License-Identifier: BSD-3-Clause
// Which candidates are too slow to be timed again.
#pragma once

#include <span>
#include <vector>

namespace alltold::campaign {

/// Times of one candidate at one size so far.
struct CandidateTimes {
    double warmup_s = 0;         ///< above 0
    std::vector<double> times_s; ///< of the repetitions that count
    bool stays = false;          ///< timed to the end however slow
};

/// Marks the candidates at one size (one or more) that need no further timing: even their quickest
/// repetition, warm-up included, took over `factor` (1 or more) times the least median. A candidate
/// with a warm-up alone must exceed that by more than a second, which neither a time-out nor
/// connection set-up takes.
std::vector<bool> too_slow(std::span<const CandidateTimes> candidates, double factor);

} // namespace alltold::campaign
