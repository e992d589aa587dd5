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

/// --worth and --risk as given.
struct TermsText {
    std::string worth = "3%", risk = "5%";
};

void add_terms_options(CLI::App& subcommand, TermsText& terms);

/// Fails and names the option.
Result<Terms> parse_terms(const TermsText& terms);

} // namespace alltold::cli
