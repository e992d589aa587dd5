// SPDX-License-Identifier: BSD-3-Clause
// Why a ranking is as it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/rank.hpp"

namespace alltold {

/// What a candidate's time would be less by if one part of the network cost nothing, as shares of
/// the time; what is left over is bandwidth. Nothing for what was measured and for models whose
/// parts cannot be told apart (cluster, smt).
struct TimeParts {
    double start_ups = 0; ///< costs of a message that do not depend on its size
    double latency = 0;
    double backbone = 0; ///< its rate and its latency
    double bandwidth = 0;
};

std::optional<TimeParts> parts_of(const Network& network, const Ranking& ranking,
                                  const RankedAlgorithm& candidate);

/// Sentences: what the winner's time is made of, who comes second and what separates them, and
/// whether the models can tell them apart at all. The ranking must have candidates.
std::vector<std::string> explain(const Network& network, const Ranking& ranking);

} // namespace alltold
