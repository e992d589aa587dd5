// SPDX-License-Identifier: BSD-3-Clause
// The rules of a profile.
#pragma once

#include <vector>

#include "predict/decide/decide.hpp"
#include "predict/rules/rule.hpp"
#include "store/profile.hpp"

namespace alltold {

/// Parses the profile's rules. Fails, naming the profile and the rule, for an invalid rule.
Result<std::vector<Rule>> rules_of(const Profile& profile);

/// Replaces the profile's rules by those that its network decides (decision_table). Given `calls`,
/// only by those that calls on these follow.
void make_rules(Profile& profile, std::vector<Clusters> calls = {}, const Terms& terms = {});

} // namespace alltold
