// SPDX-License-Identifier: BSD-3-Clause
// From the winners of calls that were timed to rules for all calls near them.
#pragma once

#include <span>
#include <vector>

#include "predict/rule.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The winner of one call.
struct Won {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    Choice choice;
};

/// Rules in which a call goes by the winner whose number of ranks is nearest, then whose size is
/// (by ratio), among those with as many clusters; from 2 ranks, or one a cluster, up to the most
/// that won something, and for all sizes. `otherwise` decides the calls beyond: of its rules what
/// the others do not cover is kept. An algorithm that takes other clusters than a rule's is never
/// carried over: numbers of clusters are kept apart.
std::vector<Rule> tuned_rules(std::span<const Won> winners, std::span<const Rule> otherwise);

} // namespace alltold
