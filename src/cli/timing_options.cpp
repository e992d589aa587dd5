// SPDX-License-Identifier: BSD-3-Clause
// Text to a budget and to what comes before a repetition.
#include "cli/timing_options.hpp"

#include <fmt/format.h>

#include "base/units.hpp"

namespace alltold::cli {

Result<double> parse_budget(const std::string& text) {
    const auto budget_s = parse_time(text);
    if (!budget_s)
        return bad_input(fmt::format("--budget: {}", budget_s.error().message));
    if (*budget_s <= 0)
        return bad_input("--budget: must be above zero");
    return *budget_s;
}

Result<Lead> parse_start(const std::string& text) {
    auto lead = parse_lead(text);
    if (!lead)
        return bad_input(fmt::format("--start: {}", lead.error().message));
    return lead;
}

} // namespace alltold::cli
