// SPDX-License-Identifier: BSD-3-Clause
// Who is too slow to be timed again.
#pragma once

#include <span>
#include <vector>

namespace alltold::campaign {

/// What one candidate took at one size so far. Seconds.
struct Standing {
    double warmup_s = 0;         ///< above 0
    std::vector<double> times_s; ///< of the repetitions that count
    bool stays = false;          ///< timed to the end however slow
};

/// Which of the candidates at one size (one or more) are out: those of which even the quickest
/// repetition, warm-up included, took over `factor` (1 or more) times the least median, once that
/// is not chance: with a repetition beside the warm-up, or where it is more than a second, which
/// neither a time-out nor setting a connection up takes.
std::vector<bool> out(std::span<const Standing> standings, double factor);

} // namespace alltold::campaign
