// SPDX-License-Identifier: BSD-3-Clause
// The flag --rules, alike for all subcommands.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "predict/rule.hpp"

namespace alltold::cli {

/// Rules from a file, or with a "=" in it from the flag's value itself; none from an empty value.
Result<std::vector<Rule>> parse_rules_flag(const std::string& value);

/// One of four; fails, listing them, for another name.
Result<Collective> parse_collective(const std::string& name);

} // namespace alltold::cli
