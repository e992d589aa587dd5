// SPDX-License-Identifier: BSD-3-Clause
// Why a rule chooses what it chooses for a call.
#pragma once

#include <string>

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

} // namespace alltold
