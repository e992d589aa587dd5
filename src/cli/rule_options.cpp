// SPDX-License-Identifier: BSD-3-Clause
// Parses rules and collectives.
#include "cli/rule_options.hpp"

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "core/try.hpp"
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

} // namespace alltold::cli
