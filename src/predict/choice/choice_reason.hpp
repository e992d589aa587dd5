// SPDX-License-Identifier: BSD-3-Clause
// The reason for a rule's choice for a call.
#pragma once

#include <string>

#include "network/collective_probe.hpp"
#include "predict/choice/rank.hpp"
#include "predict/rules/rule.hpp"

namespace alltold {

struct ChoiceReason {
    std::string text;       ///< goes on after "because"
    bool undecided = false; ///< only a measurement can decide
};

/// The reason why `rule`, one of a profile's, or none (null), chooses what it does for the
/// ranking's call: whether the library's own time is known (library_known), and the known times of
/// both from each start, of which `usual` is the network's.
ChoiceReason reason_for(const Network& network, StartMode usual, const Ranking& ranking,
                        const Rule* rule);

} // namespace alltold
