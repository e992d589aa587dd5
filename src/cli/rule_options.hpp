// SPDX-License-Identifier: BSD-3-Clause
// The options --rules, --worth and --risk, shared by all subcommands.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"
#include "predict/decide/decide.hpp"
#include "predict/rules/rule.hpp"

namespace alltold::cli {

/// Reads rules from the file `value`, or from `value` itself if it contains "="; an empty value
/// gives no rules.
Result<std::vector<Rule>> parse_rules_flag(const std::string& value);

/// Adds --rules, which is read as above.
void add_rules_option(CLI::App& subcommand, std::vector<Rule>& rules, const std::string& help);

/// Adds --worth and --risk.
void add_terms_options(CLI::App& subcommand, Terms& terms);

} // namespace alltold::cli
