// SPDX-License-Identifier: BSD-3-Clause
// Why a rule chooses what it chooses for a call.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "network/start_mode.hpp"
#include "predict/rank.hpp"
#include "predict/rule.hpp"

namespace alltold {

struct ChoiceReason {
    std::string text;       ///< goes on after "because"
    bool undecided = false; ///< only a measurement can decide
};

/// Why `rule`, one of a profile's, or none (null) chooses for the ranking's call what it chooses:
/// whether the library's own time is known (library_known), and what both are known to take from
/// each start, of which `usual` is the network's.
ChoiceReason reason_for(const Network& network, StartMode usual, const Ranking& ranking,
                        const Rule* rule);

/// The first rule for the call, in the order in which sources count; null without one.
const Rule* rule_for(std::span<const std::vector<Rule>> sources, Collective collective,
                     const Clusters& clusters, std::uint64_t size_bytes);

} // namespace alltold
