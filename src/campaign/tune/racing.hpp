// SPDX-License-Identifier: BSD-3-Clause
// Rank 0's loop: which race next, its round, and every repetition into the store.
#pragma once

#include "campaign/tune/tune.hpp"

namespace alltold::tune {

struct Effort {
    StartMode start_mode = StartMode::silence;
    double budget_s = 60;
    std::uint64_t seed = 1; ///< of the order within rounds
};

/// Runs rounds of the races of `calls`, whose points are the team's plan in the same order, until
/// all are decided, the budget ends or a rank gets a signal: first one of each, the cheapest first,
/// then always of the race in which most is in doubt, as a share of its time, for the time that a
/// round takes. Lives on rank 0. Fails when the store or MPI does.
Status race_all(measure::Helm& helm, std::vector<TunedCall>& calls, const Effort& effort,
                Report& report);

} // namespace alltold::tune
