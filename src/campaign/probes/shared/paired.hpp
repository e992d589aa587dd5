// SPDX-License-Identifier: BSD-3-Clause
// Repetitions between two ranks; the first decides how many and takes the samples.
#pragma once

#include <functional>

#include "campaign/engine/samples.hpp"

namespace alltold::campaign {

/// The parts of a point's two ranks in one repetition.
struct Paired {
    std::function<Result<double>()> first; ///< gives the sample
    std::function<Status()> second;
};

/// Repeats `parts` between the first and the second rank of the point, warm-ups first, until there
/// are enough samples or the time is up, and reports them to rank 0. Before each repetition the
/// ranks exchange a message, so that both begin within a message's time of each other. Collective
/// over the participants.
Status repeat_paired(Context& context, const Paired& parts);

} // namespace alltold::campaign
