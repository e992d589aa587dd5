// SPDX-License-Identifier: BSD-3-Clause
// The rules of a profile.
#pragma once

#include <span>
#include <vector>

#include "predict/rules/rule.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold {

/// Parses the profile's rules. Fails, naming the profile and the rule, for an invalid rule.
Result<std::vector<Rule>> rules_of(const Profile& profile);

/// Replaces the profile's rules. Calls timed in `measured` use the winner of their elimination
/// (timed_calls, tuned_rules); all others use the profile's parameters
/// (decision_table). Given `calls`, only those that calls on these follow from any start.
void make_rules(Profile& profile, std::span<const PointSamples> measured = {},
                std::vector<Clusters> calls = {});

} // namespace alltold
