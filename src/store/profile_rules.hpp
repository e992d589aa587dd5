// SPDX-License-Identifier: BSD-3-Clause
// The rules of a profile.
#pragma once

#include <vector>

#include "rules/rule.hpp"
#include "store/profile.hpp"

namespace alltold {

/// The profile's rules, read. Fails, naming the profile and the rule, for what is no rule.
Result<std::vector<Rule>> rules_of(const Profile& profile);

/// Decides all calls anew from the profile's parameters (decision_table), in place of its rules.
void make_rules(Profile& profile);

} // namespace alltold
