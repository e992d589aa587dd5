// SPDX-License-Identifier: BSD-3-Clause
// Derives rules for all calls from the winners of the timed calls.
#pragma once

#include <span>
#include <vector>

#include "predict/rules/rule.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The quickest choice for one call.
struct CallWinner {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    Choice choice;
};

/// Each call uses the winner with the same number of clusters whose rank count is nearest, then
/// whose size is nearest (by ratio). These rules cover 2 ranks, or one per cluster, up to the
/// largest timed rank count, and all sizes. Larger calls use `otherwise`: the rules keep the part
/// of it that the winners do not cover. A winner never applies to another number of clusters.
std::vector<Rule> tuned_rules(std::span<const CallWinner> winners, std::span<const Rule> otherwise);

} // namespace alltold
