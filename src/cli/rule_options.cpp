// SPDX-License-Identifier: BSD-3-Clause
// Parses rules and the two numbers of a decision.
#include "cli/rule_options.hpp"

#include "cli/timing_options.hpp"
#include "core/text_file.hpp"
#include "predict/rules/parse.hpp"

namespace alltold::cli {

Result<std::vector<Rule>> parse_rules_flag(const std::string& value) {
    if (value.find('=') != value.npos)
        return parse_rules(value, "--rules");
    if (value.empty())
        return std::vector<Rule>();
    ALLTOLD_TRY(text, read_text_file(value, "a file of rules such as alltoall:64KiB- = "
                                            "alltoall.pairwise"));
    return parse_rules(*text, value);
}

void add_rules_option(CLI::App& subcommand, std::vector<Rule>& rules, const std::string& help) {
    add_parsed(subcommand, "--rules", rules, parse_rules_flag, help);
}

void add_terms_options(CLI::App& subcommand, Terms& terms) {
    add_share(subcommand, "--worth", terms.worth,
              "least expected gain for which one of alltold's algorithms runs in place "
              "of the library's own");
    add_share(subcommand, "--risk", terms.risk,
              "most probability of losing more than --worth with it");
}

} // namespace alltold::cli
