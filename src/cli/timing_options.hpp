// SPDX-License-Identifier: BSD-3-Clause
// The options --budget, --precision, --start, --work, --rules, --worth and --risk, shared by all
// subcommands.
#pragma once

#include "cli/subcommand.hpp"
#include "store/profile.hpp"

namespace alltold::cli {

/// Reads rules from the file `value`, or from `value` itself if it contains "="; an empty value
/// gives no rules.
Result<std::vector<Rule>> parse_rules_flag(const std::string& value);

/// Adds --rules, which is read as above.
void add_rules_option(CLI::App& subcommand, std::vector<Rule>& rules, const std::string& help);

/// Adds --worth and --risk.
void add_terms_options(CLI::App& subcommand, Terms& terms);

/// Adds --budget: seconds, above 0.
CLI::Option* add_budget(CLI::App& subcommand, double& budget_s, const std::string& help);

/// Adds an option that takes a share above 0 and at most 1, "10%" or "0.1"; `share` holds the
/// default.
void add_share(CLI::App& subcommand, const std::string& name, double& share,
               const std::string& help);

/// Adds --start; `start_mode` holds the default. `in_campaign`: what is timed goes into one.
void add_start_mode(CLI::App& subcommand, StartMode& start_mode, bool in_campaign);

struct AskedStart {
    std::optional<StartMode> mode = {}; ///< empty: the profile's usual one
    std::optional<double> work_s = {};  ///< between the calls of a loop
};

void add_start_option(CLI::App& subcommand, AskedStart& start);

/// The profile with what it knows of calls from that start. Fails as load_profile does, for work
/// outside a loop, and if no such call was measured or can be simulated.
Result<Profile> load_profile_from(const std::string& path, const AskedStart& asked);

} // namespace alltold::cli
