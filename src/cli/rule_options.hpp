// SPDX-License-Identifier: BSD-3-Clause
// The option --rules, shared by all subcommands.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "predict/rules/rule.hpp"

namespace alltold::cli {

/// Reads rules from the file `value`, or from `value` itself if it contains "="; an empty value
/// gives no rules.
Result<std::vector<Rule>> parse_rules_flag(const std::string& value);

} // namespace alltold::cli
