// SPDX-License-Identifier: BSD-3-Clause
// Explains a ranking.
#pragma once

#include "predict/choice/rank.hpp"

namespace alltold {

/// The share of a candidate's time that each component of the network accounts for: the time saved
/// if that component were free. The rest is bandwidth. Empty for measured times and for models
/// whose components cannot be separated (cluster, smt).
struct TimeParts {
    double start_ups = 0; ///< costs of a message that do not depend on its size
    double latency = 0;
    double combining = 0; ///< of contributions to a reduction
    double backbone = 0;  ///< its rate and its latency
    double bandwidth = 0;
};

std::optional<TimeParts> parts_of(const Network& network, const Ranking& ranking,
                                  const CallTime& candidate);

struct Explanation {
    std::vector<std::string> sentences;
    bool undecided = false; ///< the models cannot tell the first two apart
};

/// The composition of the winner's time, the runner-up and the difference between them, how much
/// longer the library's own choice takes, and whether the models can distinguish the first two. The
/// ranking must have candidates.
Explanation explain(const Network& network, const Ranking& ranking);

} // namespace alltold
